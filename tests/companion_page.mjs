// A page as the companion's modules see SillyTavern's, without a browser: one chat, its events, its
// settings. Plays a few acts against a running memory server and prints what came of each.
//   node companion_page.mjs MODULES ADDRESS KEY
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const [modules, address, key] = process.argv.slice(2);
const listeners = {};
const prompts = {};
const macros = {};
const kept = new Map();
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const row = (name, mes, more = {}) => ({ name, mes, is_user: name === '旅人', is_system: false, extra: {}, ...more });

const context = {
    chat: [], characters: [{ avatar: '爱丽丝.png', name: '爱丽丝', data: {} }], characterId: 0, groupId: null, groups: [],
    name1: '旅人', name2: '爱丽丝', mainApi: 'openai', file: '月光', extensionSettings: {},
    chatMetadata: { integrity: 'slip-1' }, powerUserSettings: {}, chatCompletionSettings: { prompts: [] }, extensionPrompts: prompts,
    eventTypes: Object.fromEntries(['CHAT_CHANGED', 'MESSAGE_SENT', 'MESSAGE_RECEIVED', 'MESSAGE_EDITED', 'MESSAGE_DELETED',
        'CHAT_DELETED', 'CHAT_RENAMED', 'GENERATION_ENDED', 'GENERATION_AFTER_COMMANDS', 'CHAT_COMPLETION_PROMPT_READY'].map(name => [name, name])),
    eventSource: {
        on: (name, listener) => (listeners[name] ??= []).push(listener),
        emit: async (name, ...told) => { for (const listener of listeners[name] ?? []) await listener(...told); },
    },
    getCurrentChatId: () => context.file,
    saveSettingsDebounced: () => {},
    setExtensionPrompt: (name, value, position, depth, scan, role) => { prompts[name] = { value, position, depth, scan, role }; },
    registerMacro: (name, value) => { macros[name] = value; },
};
globalThis.SillyTavern = { getContext: () => context };
globalThis.document = { hidden: false, body: { dataset: {} }, querySelector: () => null };
globalThis.localStorage = { getItem: name => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };

const load = name => import(pathToFileURL(join(modules, `${name}.mjs`)).href);
const [{ change }, { pair, link, ask }, telling, recall, chats] = await Promise.all(
    ['settings', 'server', 'telling', 'recall', 'chats'].map(load));
const answers = {};
const sent = [];
const realFetch = globalThis.fetch;
globalThis.fetch = (url, options) => {
    const body = JSON.parse(options.body);
    sent.push({ name: String(url).split('/').at(-1), what: body.what, rows: body.rows?.length, room: body.room, used: body.used, from: body.visible_from });
    return realFetch(url, options);
};
let told = 0;
telling.onTold(() => { told += 1; });
// Until the server has taken so many changes, or a while has passed.
const taken = async count => {
    for (let waited = 0; told < count && waited < 15000; waited += 20) await pause(20);
    return told >= count;
};

answers.unpaired = (await pair()).error.code;
change('address', address);
change('key', 'wrong');
answers.wrongKey = (await pair()).error.code;
change('key', key);
answers.paired = (await pair()).program;
telling.watchChats();
recall.beginRecall();
telling.beginTelling();

for (let n = 0; n < 40; n++) context.chat.push(row(n % 2 ? '旅人' : '爱丽丝', `第${n}句，铜钥匙在月光酒馆。`));
await context.eventSource.emit('CHAT_CHANGED', '月光');
answers.whole = [await taken(1), sent.filter(each => each.what === 'piece').length > 0];

sent.length = 0;
context.chat.push(row('旅人', '“北塔在哪里？”'));
context.chat[3].is_system = true;
await context.eventSource.emit('MESSAGE_SENT', 40);
answers.change = [await taken(2), sent.filter(each => each.name === 'told')];

context.chatMetadata.lastInContextMessageId = 38;
await context.eventSource.emit('GENERATION_AFTER_COMMANDS', 'normal', {}, false);
await globalThis.engramCompanionIntercept([], 8000, () => {}, 'normal');
answers.recall = { outcome: recall.last.answer?.outcome, prompt: prompts.engram_memory, sent: sent.at(-1), said: context.chat.filter(each => !each.is_system).map(each => each.mes) };

context.chatMetadata.lastInContextMessageId = 0; // all of it was in the last prompt; what is hidden since is not in the next
answers.shown = [];
for (const hidden of [[], [5], [4, 5, 6, 7, 8, 9, 10, 11, 12], Array.from({ length: 41 }, (_, n) => n)]) {
    const before = context.chat.map(message => message.is_system);
    hidden.forEach(floor => { context.chat[floor].is_system = true; });
    sent.length = 0;
    await globalThis.engramCompanionIntercept([], 8000, () => {}, 'normal');
    answers.shown.push(sent.find(each => each.name === 'recall').from);
    before.forEach((is, floor) => { context.chat[floor].is_system = is; });
}
context.chatMetadata.lastInContextMessageId = 38;

context.chatCompletionSettings.prompts = [{ identifier: 'main', content: 'Play. {{engramSummaries}}' }];
await context.eventSource.emit('GENERATION_AFTER_COMMANDS', 'normal', {}, false);
await globalThis.engramCompanionIntercept([], 8000, () => {}, 'normal');
answers.macro = { value: macros.engramSummaries(), prompt: prompts.engram_memory.value };
context.chatCompletionSettings.prompts = [];

await globalThis.engramCompanionIntercept([], 8000, () => {}, 'quiet');
answers.quiet = prompts.engram_memory.value;

context.chat.length = 0;
context.file = '别的';
context.chatMetadata = { integrity: 'slip-2' };
context.chat.push(row('爱丽丝', '另一个故事。'));
await context.eventSource.emit('CHAT_CHANGED', '别的');
answers.other = await taken(3);
// The page calls the next chat open while it still holds two rows of a welcome.
sent.length = 0;
context.file = '月光';
context.chatMetadata = {};
context.chat.push(row('爱丽丝', '欢迎。'));
await context.eventSource.emit('MESSAGE_RECEIVED', 1);
await pause(1500);
answers.loading = sent.map(each => each.what);
context.chatMetadata = { integrity: 'slip-1', lastInContextMessageId: 38 };
context.chat.length = 0;
for (let n = 0; n < 40; n++) context.chat.push(row(n % 2 ? '旅人' : '爱丽丝', `第${n}句，铜钥匙在月光酒馆。`));
context.chat.push(row('旅人', '“北塔在哪里？”'));
context.chat[3].is_system = true;
await context.eventSource.emit('CHAT_CHANGED', '月光');
answers.again = [await taken(4), sent.map(each => each.what)];

context.chat.length = 12; // an older copy of the chat is open
await context.eventSource.emit('MESSAGE_DELETED', 12);
answers.apart = [await taken(5), telling.keptApart()];

const numbers = length => Array.from({ length }, () => Math.floor(Math.random() * 3));
answers.differences = Array.from({ length: 3000 }, () => {
    const [before, now] = [numbers(Math.floor(Math.random() * 7)), numbers(Math.floor(Math.random() * 7))];
    const change = chats.difference(before, now);
    const made = change ? before.toSpliced(change.first, change.removed, ...now.slice(change.first, change.first + change.added)) : before;
    return JSON.stringify(made) === JSON.stringify(now);
}).every(Boolean);
answers.prints = new Set(Array.from({ length: 200000 }, (_, n) => chats.printOf(`row ${n}`))).size;

change('address', 'http://127.0.0.1:1');
const begun = performance.now();
await globalThis.engramCompanionIntercept([], 8000, () => {}, 'normal');
await globalThis.engramCompanionIntercept([], 8000, () => {}, 'normal');
answers.away = { state: link.state, prompt: prompts.engram_memory.value, waited: performance.now() - begun };
answers.refused = (await ask('hello')).error.code;
process.stdout.write(JSON.stringify(answers));
process.exit(0);
