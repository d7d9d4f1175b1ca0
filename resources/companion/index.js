// Engram's companion for SillyTavern. It asks the memory server on your computer before each reply,
// and tells it of the chat. Without that server it does nothing.

import { addCommands } from './commands.js';
import { addDrawer } from './drawer.js';
import { addPanel } from './panel.js';
import { beginRecall } from './recall.js';
import { link, onLink, pair } from './server.js';
import { settings } from './settings.js';
import { beginTelling, lookSoon, watchChats } from './telling.js';
import { readTexts } from './texts.js';

const TRY_AGAIN_MS = 30000; // a server that was not there may have been started

async function begin() {
    settings();
    watchChats(); // before anything is waited for: no chat is missed
    await readTexts();
    beginRecall();
    addDrawer();
    addPanel();
    addCommands();
    onLink(state => { if (state === 'on') lookSoon(); });
    await pair();
    beginTelling();
    setInterval(() => { if (settings().key && !document.hidden && link.state !== 'on') pair(); }, TRY_AGAIN_MS);
}

begin().catch(error => console.debug('Engram is not there:', error));
