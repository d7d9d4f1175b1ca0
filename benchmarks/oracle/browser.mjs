// Opens SillyTavern in a headless Chromium, and what its page needs to be driven.
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';

const require = createRequire(process.env.TAVERN_MODULES + '/');
const puppeteer = require('puppeteer-core');
const model = process.env.MODEL_URL;
const post = async (path, body) =>
    (await fetch(model + path, { method: 'POST', body: JSON.stringify(body ?? {}) })).json();

export const tools = {
    url: process.env.TAVERN_URL,
    queue: (...replies) => post('/queue', { replies }),
    prompts: async () => (await fetch(model + '/log')).json(),
    clear: () => post('/clear'),
    pace: ms => post('/pace', { ms }),
    sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
    slash: (page, command) => page.evaluate(text => slash(text), command),
    ready,
};

export async function ready(page) {
    await page.waitForFunction('document.getElementById("preloader") === null && globalThis.SillyTavern', { timeout: 120000 });
    await page.evaluate(async () => {
        globalThis.slash = async (command) => (await SillyTavern.getContext().executeSlashCommandsWithOptions(command))?.pipe;
        globalThis.sleep = (ms) => new Promise(resolve => setTimeout(resolve, ms));
        globalThis.until = async (test, ms = 15000) => {
            const begin = Date.now();
            while (Date.now() - begin < ms) { if (await test()) return true; await sleep(50); }
            return false;
        };
        // Every question it asks the user is answered with yes.
        const { Popup, POPUP_RESULT } = await import('./scripts/popup.js');
        globalThis.sayYes = () => { Popup.show.confirm = async () => POPUP_RESULT.AFFIRMATIVE; };
        await until(() => {
            const status = SillyTavern.getContext().onlineStatus;
            return status && status !== 'no_connection';
        }, 20000);
    });
}

// The page of a SillyTavern that is ready, and the browser around it.
export async function open() {
    const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
    const browser = await puppeteer.launch({
        executablePath: process.env.CHROMIUM || chromium, headless: true,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions', '--disable-background-networking'],
        defaultViewport: { width: 1500, height: 1000 }, protocolTimeout: 800000,
    });
    const page = await browser.newPage();
    page.on('dialog', dialog => dialog.accept());
    page.on('pageerror', error => console.error('[page]', error.message.slice(0, 300)));
    await page.goto(tools.url, { waitUntil: 'domcontentloaded' });
    await ready(page);
    return { browser, page };
}
