// Before a generation: asks what it is to remember, and puts that where the window says.

import { ask, isWorthAsking, link } from './server.js';
import { settings } from './settings.js';
import { openChat } from './chats.js';

const PROMPT = 'engram_memory'; // the names of the extension prompts: of all, or of the story so far
const RECALLED = 'engram_recalled'; // and of what is recalled, where it stands apart
const MACROS = { summaries: 'engramSummaries', memories: 'engramMemories' };
const NEWEST = 8; // messages that are sent along, to search by
const LONGEST = 8000; // characters of each
const MESSAGE = 4; // tokens that a message costs beside its text
const MOST = 10000000; // tokens that are named: more than any model reads
const MARGIN = 2; // floors: the next prompt may hold so many fewer than the last
const INSIDE = { NOWHERE: -1, AFTER_MAIN: 0, IN_CHAT: 1 }; // SillyTavern's numbers for a place
const SYSTEM = 0; // and for a role
const TYPES = ['normal', 'swipe', 'regenerate', 'continue', 'impersonate', 'quiet'];

const texts = { summaries: '', memories: '' };
const filled = new Set(); // macros that this generation asked for
const listeners = new Set();
let asked = null; // the answer that a generation already has
export const last = { answer: null };

export function onRecall(listener) {
    listeners.add(listener);
}

export function beginRecall() {
    const context = SillyTavern.getContext();
    const { eventSource, eventTypes } = context;
    for (const [part, name] of Object.entries(MACROS)) {
        const value = () => { filled.add(part); return texts[part]; };
        const description = part === 'summaries' ? 'Engram: the story so far' : 'Engram: what is remembered now';
        if (context.registerMacro) context.registerMacro(name, value, description);
        else context.macros?.register(name, { handler: value, description });
    }
    globalThis.engramCompanionIntercept = async (_chat, contextSize, _abort, type) => intercept(type, contextSize);
    // A card is filled in before anybody is asked: where one holds a macro, ask earlier.
    eventSource.on(eventTypes.GENERATION_AFTER_COMMANDS, async (type, options, isDry) => {
        if (isDry) return;
        filled.clear();
        asked = null;
        if (cardParts(context).length && kindOf(type) !== 'quiet') {
            asked = await askFor(kindOf(type), roomOf(context), options?.automatic_trigger ? '' : typed(type), true);
        }
    });
    eventSource.on(eventTypes.CHAT_COMPLETION_PROMPT_READY, data => { if (!data?.dryRun) withoutDoubles(data.chat); });
    eventSource.on(eventTypes.CHAT_CHANGED, () => { put(null); last.answer = null; tellListeners(); });
}

async function intercept(type, contextSize) {
    const kind = kindOf(type);
    if (kind === 'quiet' || !settings().isOn) return put(null);
    const answer = asked ?? await askFor(kind, contextSize);
    asked = null;
    put(answer);
    tellListeners();
}

// The answer for the next generation, within the time that it may wait; null without one.
async function askFor(kind, room, words = '', isEarly = false) {
    const chat = openChat();
    if (!chat || !settings().isOn || !isWorthAsking()) {
        put(null);
        return null;
    }
    const body = { ...question(chat, kind, words, isEarly), ...spaceIn(room) };
    const answer = await ask('recall', body, link.allowance);
    last.answer = answer.error ? { outcome: 'late', items: [] } : answer;
    if (answer.error) return null;
    put(answer);
    return answer;
}

// What a search by hand finds; it sets nothing.
export function recallBy(words) {
    const chat = openChat();
    return chat ? ask('recall', question(chat, 'normal', words)) : Promise.resolve(null);
}

function question(chat, kind, words, isEarly = false) {
    const context = SillyTavern.getContext();
    const messages = context.chat;
    // A reroll stands on what came before the message that it replaces.
    const isReplaced = kind === 'swipe' || (kind === 'regenerate' && isEarly && messages.length && !messages.at(-1).is_user);
    const end = messages.length - (isReplaced ? 1 : 0);
    const said = messages
        .slice(0, end)
        .filter(message => !message.is_system)
        .slice(-NEWEST)
        .map(message => ({ name: String(message.name ?? ''), is_user: Boolean(message.is_user), text: String(message.mes ?? '').slice(-LONGEST) }));
    if (words) said.push({ name: context.name1, is_user: true, text: words.slice(-LONGEST) });
    const first = context.chatMetadata?.lastInContextMessageId;
    return {
        chat: { ...chat, tavern: settings().tavern },
        type: kind,
        speaker: kind === 'impersonate' ? context.name1 : context.name2,
        until: end - 1 + (words ? 1 : 0),
        visible_from: Number.isInteger(first) && first >= 0 ? shownFrom(messages, first + (first ? MARGIN : 0), end) : null,
        said,
    };
}

// From which floor on the prompt holds the chat, but for a few that are hidden: what is hidden before
// that is not in the prompt, whatever the last one held.
function shownFrom(messages, first, end) {
    let [from, most, shown] = [Math.max(first, end), 0, 0];
    for (let floor = end - 1; floor >= first; floor--) {
        shown += messages[floor].is_system ? -1 : 1;
        if (shown >= most) [from, most] = [floor, shown];
    }
    return from;
}

// How many tokens the next prompt may have: SillyTavern says so only once the card is filled in.
function roomOf(context) {
    const chat = context.chatCompletionSettings;
    return context.mainApi === 'openai' ? chat?.openai_max_context - chat?.openai_max_tokens : context.maxContext;
}

// What memory is told of the room it has: SillyTavern lets the oldest messages go for it.
function spaceIn(room) {
    if (!Number.isFinite(room) || room < 1) return {};
    const context = SillyTavern.getContext();
    const card = context.groupId ? null : context.characters[context.characterId]?.data;
    let used = [card?.description, card?.personality, card?.scenario, card?.mes_example, context.powerUserSettings?.persona_description]
        .reduce((sum, text) => sum + tokensOf(text), 0);
    for (let index = context.chat.length - 1; index >= 0 && used < room; index--) {
        if (!context.chat[index].is_system) used += tokensOf(context.chat[index].mes) + MESSAGE;
    }
    return { room: Math.min(MOST, Math.floor(room)), used: Math.min(MOST, Math.ceil(used)) };
}

// About how many tokens a text has, as the server estimates them.
function tokensOf(text) {
    let sum = 0;
    for (const { 0: piece } of String(text ?? '').matchAll(/[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+|[A-Za-z\u00c0-\u024f]+|\d+|[^\s\w]+/g)) {
        if (/^[A-Za-z\u00c0-\u024f]/.test(piece)) sum += Math.max(1, piece.length / 6);
        else if (/^\d/.test(piece)) sum += piece.length / 3;
        else sum += piece.length * 0.9;
    }
    return sum;
}

function typed(type) {
    if (kindOf(type) !== 'normal') return '';
    return String(document.querySelector('#send_textarea')?.value ?? '').trim();
}

function kindOf(type) {
    return TYPES.includes(type) ? type : 'normal';
}

// Put an answer's texts where they belong; what a macro of the prompt holds is put nowhere else.
function put(answer) {
    texts.summaries = harmless(answer?.summaries);
    texts.memories = harmless(answer?.memories);
    const context = SillyTavern.getContext();
    const by = macroParts(context);
    if (by.includes('summaries') && !by.includes('memories')) {
        // As the server does it for any program: this one place gets all of it.
        texts.summaries = [texts.summaries, texts.memories].filter(Boolean).join('\n\n');
        texts.memories = '';
    }
    const rest = Object.keys(MACROS).filter(part => !by.includes(part));
    const place = answer?.place ?? link.place;
    const isApart = place.at === 'apart';
    const [position, depth] = isApart || place.at === 'system'
        ? [INSIDE.AFTER_MAIN, 0]
        : [INSIDE.IN_CHAT, place.at === 'last' ? 1 : Number(place.depth) || 0];
    // What is recalled is another at each turn: behind the chat, what a model has read before it stays the same.
    const set = (name, parts, at, deep) => {
        const value = rest.filter(part => parts.includes(part)).map(part => texts[part]).filter(Boolean).join('\n\n');
        context.setExtensionPrompt(name, value, value ? at : INSIDE.NOWHERE, deep, false, SYSTEM);
    };
    set(PROMPT, isApart ? ['summaries'] : Object.keys(MACROS), position, depth);
    set(RECALLED, isApart ? ['memories'] : [], INSIDE.IN_CHAT, 1);
}

// Memory is a story's text: no macro of SillyTavern's may be hidden in it.
function harmless(text) {
    return String(text ?? '').replaceAll('{{', '{\u200b{');
}

// Which macros stand in what is filled in before a generation asks.
function cardParts(context) {
    const card = context.characters[context.characterId];
    const group = context.groupId ? context.groups.find(each => each.id === context.groupId) : null;
    const members = group ? context.characters.filter(each => group.members?.includes(each.avatar)) : [];
    return partsIn([card, ...members].map(each => [each?.data, each?.description, each?.scenario]), context.powerUserSettings?.persona_description);
}

// Which macros stand anywhere in the prompt, as far as one can see beforehand.
function macroParts(context) {
    const power = context.powerUserSettings ?? {};
    const metadata = context.chatMetadata ?? {};
    const isChat = context.mainApi === 'openai';
    const places = isChat
        ? [context.chatCompletionSettings?.prompts, context.chatCompletionSettings?.impersonation_prompt]
        : [power.context?.story_string, power.sysprompt, power.instruct];
    return [...new Set([...cardParts(context), ...partsIn(places, metadata.note_prompt, context.extensionSettings?.note?.default)])];
}

function partsIn(...values) {
    const text = (JSON.stringify(values) ?? '').toLowerCase();
    return Object.keys(MACROS).filter(part => text.includes(`{{${MACROS[part].toLowerCase()}}}`));
}

// A macro in a worldbook or an author's note is only seen when it is filled in: then ours goes.
function withoutDoubles(messages) {
    if (!filled.size || !Array.isArray(messages)) return;
    const prompts = SillyTavern.getContext().extensionPrompts;
    const values = [PROMPT, RECALLED].map(name => prompts?.[name]?.value ?? '');
    for (const part of filled) {
        const text = texts[part].trim();
        const value = values.find(one => one.includes(text));
        if (!text || !value) continue;
        const holders = messages.filter(message => typeof message.content === 'string' && message.content.includes(text));
        if (holders.length < 2) continue;
        const ours = holders.find(message => message.content.trim() === value.trim()) ?? holders.find(message => message.content.includes(value.trim()));
        if (!ours) continue;
        ours.content = ours.content.replace(text, () => '').trim();
        if (!ours.content) messages.splice(messages.indexOf(ours), 1);
    }
}

function tellListeners() {
    for (const listener of listeners) listener(last.answer);
}
