// Tells the server of the open chat: all of it once, in pieces, then what changes. Where the server
// reads the chat's file itself, nothing is told.

import { ask, link } from './server.js';
import { settings } from './settings.js';
import { difference, headerOf, isSame, linesOf, openChat, printOf } from './chats.js';

const WAIT_MS = 600; // after an event: several come together
const LOOK_AGAIN_MS = 10000; // hiding a message, for one, is told by no event
const PIECE = 200000; // characters of one request
const REMEMBERED = 40; // chats of which it is remembered where the server stands
const MEMORY = 'engram-told';

const listeners = new Set();
let known = null; // {chat, revision, prints}: what the server has of the open chat
let silent = null; // a chat the server wants to hear nothing of
let apart = null; // {chat, conflict}: floors of a chat that the server put on a branch, or left there
let loaded = null; // the chat whose messages the page holds
let timer = 0;
let isBusy = false;
let isWanted = false;

// Hear of it when the server has taken what changed.
export function onTold(listener) {
    listeners.add(listener);
}

// While a chat is read, the page calls it open already and still holds what was shown before: the
// welcome, or another chat. Only CHAT_CHANGED says that its messages are there.
export function watchChats() {
    const { eventSource, eventTypes } = SillyTavern.getContext();
    const chat = openChat();
    loaded = chat?.slip ? chat : null;
    eventSource.on(eventTypes.CHAT_CHANGED, () => { loaded = openChat(); });
}

// Whether the page holds the messages of a chat, its character renamed or not.
function isLoaded(chat) {
    return isSame(loaded, chat) || Boolean(loaded?.slip && loaded.slip === chat.slip && loaded.file === chat.file);
}

export function beginTelling() {
    const { eventSource, eventTypes } = SillyTavern.getContext();
    const names = [
        'CHAT_CHANGED', 'CHAT_CREATED', 'GROUP_CHAT_CREATED', 'MESSAGE_SENT', 'MESSAGE_RECEIVED', 'MESSAGE_EDITED',
        'MESSAGE_UPDATED', 'MESSAGE_DELETED', 'MESSAGE_SWIPED', 'MESSAGE_SWIPE_DELETED', 'GENERATION_ENDED',
        'GENERATION_STOPPED', 'GROUP_WRAPPER_FINISHED', 'CHARACTER_RENAMED', 'CHARACTER_RENAMED_IN_PAST_CHAT',
    ];
    for (const name of names) {
        if (eventTypes[name]) eventSource.on(eventTypes[name], () => lookSoon());
    }
    eventSource.on(eventTypes.CHAT_CHANGED, () => { silent = null; });
    const gone = (file, owner) => {
        const chat = openChat();
        tellGone({ ...chat, owner: owner ?? chat?.owner, file });
    };
    eventSource.on(eventTypes.CHAT_DELETED, file => gone(file));
    if (eventTypes.GROUP_CHAT_DELETED) eventSource.on(eventTypes.GROUP_CHAT_DELETED, file => gone(file));
    if (eventTypes.CHAT_RENAMED) {
        eventSource.on(eventTypes.CHAT_RENAMED, told => gone(told?.oldFileName, told?.groupId ?? told?.avatarId));
    }
    setInterval(() => { if (!document.hidden && known) lookSoon(); }, LOOK_AGAIN_MS);
    lookSoon();
}

// Tell what there is to tell, a little later.
export function lookSoon(wait = WAIT_MS) {
    clearTimeout(timer);
    timer = setTimeout(look, wait);
}

// The floors of the open chat that the server kept though this page tells them otherwise, or lacks them.
export function keptApart() {
    return isSame(apart?.chat, openChat()) ? apart.conflict : null;
}

export function isFollowedElsewhere() {
    return silent?.state === 'followed' && isSame(silent.chat, openChat());
}

async function look() {
    if (isBusy) {
        isWanted = true;
        return;
    }
    isBusy = true;
    try {
        await tellChanges();
    } finally {
        isBusy = false;
        if (isWanted) {
            isWanted = false;
            lookSoon();
        }
    }
}

async function tellChanges() {
    const chat = openChat();
    if (!chat || !isLoaded(chat) || !settings().isTelling || link.state !== 'on') return;
    if (document.body.dataset.generating) return lookSoon(); // half a reply is none
    if (silent && isSame(silent.chat, chat)) return;
    if (known && !isSame(known.chat, chat)) known = null;
    const context = SillyTavern.getContext();
    const header = headerOf(context);
    const { lines, prints } = await linesOf(context.chat);
    if (!isSame(chat, openChat()) || !isLoaded(chat) || !lines.length) return;
    if (!known) await offer(chat, prints);
    if (silent) return;
    const change = known && difference(known.prints, prints);
    if (known && !change) return;
    const answer = change ? await tellRows(chat, header, change, lines) : await tellWhole(chat, header, lines);
    take(chat, answer, prints);
}

// Whether the server still stands where it stood when this chat was last open.
async function offer(chat, prints) {
    const before = remembered()[keyOf(chat)];
    const isAlike = before && before.print === printOf(prints.join());
    const answer = await tell(chat, { what: 'offer', revision: isAlike ? before.revision : '' });
    if (isAlike || answer.state !== 'whole') take(chat, answer, prints);
}

async function tellRows(chat, header, change, lines) {
    const rows = lines.slice(change.first, change.first + change.added);
    if (rows.reduce((size, row) => size + row.length, 0) > PIECE) return tellWhole(chat, header, lines);
    const answer = await tell(chat, {
        what: 'rows', revision: known.revision, first: change.first, removed: change.removed, rows, total: lines.length, header,
    });
    return answer.state === 'whole' ? tellWhole(chat, header, lines) : answer;
}

async function tellWhole(chat, header, lines) {
    const pieces = [[]];
    let size = 0;
    for (const line of lines) {
        if (size && size + line.length > PIECE) {
            pieces.push([]);
            size = 0;
        }
        pieces.at(-1).push(line);
        size += line.length;
    }
    const upload = `${Date.now()}`;
    let answer = {};
    for (const [number, rows] of pieces.entries()) {
        answer = await tell(chat, {
            what: 'piece', upload, number, count: pieces.length, rows, header: number === 0 ? header : '',
        });
        if (answer.state !== 'more') break;
    }
    return answer;
}

function take(chat, answer, prints) {
    switch (answer.state) {
        case 'kept':
            known = { chat, revision: answer.revision, prints };
            remember(chat, answer.revision, prints);
            if (answer.conflict) apart = { chat, conflict: answer.conflict };
            for (const listener of listeners) listener();
            break;
        case 'followed': case 'let_be': case 'off':
            silent = { chat, state: answer.state };
            known = null;
            break;
        default: // refused, away, half told: all of it the next time
            known = null;
    }
}

async function tellGone(chat) {
    const file = String(chat?.file ?? '').replace(/\.jsonl$/, '');
    if (!chat?.owner || !file || !settings().isTelling || link.state !== 'on') return;
    await tell({ ...chat, file, owner: String(chat.owner) }, { what: 'gone' });
}

function tell(chat, told) {
    return ask('told', { chat: { ...chat, tavern: settings().tavern }, ...told });
}

const keyOf = chat => `${settings().tavern}/${chat.owner}/${chat.file}`;

function remembered() {
    try {
        return JSON.parse(localStorage.getItem(MEMORY) ?? '{}') ?? {};
    } catch {
        return {};
    }
}

function remember(chat, revision, prints) {
    const all = Object.entries(remembered()).filter(([key]) => key !== keyOf(chat));
    const newest = [...all.slice(1 - REMEMBERED), [keyOf(chat), { revision, print: printOf(prints.join()) }]];
    try {
        localStorage.setItem(MEMORY, JSON.stringify(Object.fromEntries(newest)));
    } catch { /* no room: the chat is told whole the next time */ }
}
