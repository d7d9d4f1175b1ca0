// The panel at the side: what was recalled for the last reply and why, lamps, and 整理记忆.

import { ask, link, onLink } from './server.js';
import { openChat } from './chats.js';
import { button, fill, make } from './elements.js';
import { last, onRecall } from './recall.js';
import { settings } from './settings.js';
import { keptApart, onTold } from './telling.js';
import { say } from './texts.js';

const ASK_AGAIN_MS = 700; // how far tidying is
const parts = {
    mark: make('span', { class: 'engram-mark' }),
    menuMark: make('span', { class: 'engram-mark' }),
    status: make('div', { class: 'engram-status' }),
    apart: make('div', { class: 'engram-hint', id: 'engram-apart' }),
    recalled: make('div', { class: 'engram-list', id: 'engram-recalled' }),
    events: make('div', { class: 'engram-list', id: 'engram-events' }),
    progress: make('progress', { class: 'engram-progress', max: '1', hidden: true }),
    tidied: make('div', { class: 'engram-hint', role: 'status' }),
    outcome: make('div', { class: 'engram-hint' }),
};
let panel = null;

export function addPanel() {
    if (document.querySelector('#engram-panel')) return;
    panel = make('aside', { id: 'engram-panel', class: 'engram-panel', hidden: true, 'aria-label': 'Engram' },
        make('header', { class: 'engram-row' },
            make('b', {}, 'Engram ', parts.mark),
            button('×', () => showPanel(false), { class: 'menu_button engram-close', title: say('close') }),
        ),
        parts.status, parts.apart,
        make('div', { class: 'engram-row' },
            button(say('tidy'), tidy, { id: 'engram-tidy', title: say('tidyNote') }),
            button(say('showWindow'), showWindow, { id: 'engram-show' }),
        ),
        parts.progress, parts.tidied,
        make('h4', { text: say('recalled') }), parts.outcome, parts.recalled,
        make('h4', { text: say('blueLamps') }), parts.events,
    );
    document.body.append(panel);
    const menu = document.querySelector('#extensionsMenu');
    menu?.append(make('div', { id: 'engram-menu', class: 'list-group-item flex-container flexGap5 interactable', tabindex: '0', onclick: () => showPanel(panel.hidden) },
        make('div', { class: 'fa-solid fa-brain extensionsMenuExtensionButton' }),
        make('span', {}, 'Engram ', parts.menuMark),
    ));
    onRecall(showRecalled);
    onLink(showLink);
    showLink(link.state);
    const { eventSource, eventTypes } = SillyTavern.getContext();
    eventSource.on(eventTypes.CHAT_CHANGED, () => { if (!panel.hidden) refresh(); });
    onTold(() => { if (!panel.hidden) refresh(); });
}

function showLink(state) {
    for (const mark of [parts.mark, parts.menuMark]) {
        mark.dataset.state = state;
        mark.title = say(`link_${state}`);
    }
}

export function showPanel(isShown) {
    panel.hidden = !isShown;
    if (isShown) refresh();
}

export async function refresh() {
    showRecalled(last.answer);
    await Promise.all([showStatus(), showEvents()]);
}

// What is known of the open chat, in one sentence.
export async function statusText() {
    const answer = await askOfChat('status');
    if (!answer) return say('noChat');
    if (answer.error && link.state !== 'on') return say(`link_${link.state}`);
    if (answer.error) return say('refusedNow', { message: answer.error.message });
    return answer.known ? say('statusKnown', answer) : say('statusUnknown');
}

async function showStatus() {
    fill(parts.status, await statusText());
    fill(parts.apart, apartText());
}

// Which floors the server kept that this page tells otherwise or lacks, and where they are.
function apartText() {
    const conflict = keptApart();
    if (!conflict) return '';
    const spans = [...conflict.changed, ...conflict.gone].sort((one, other) => one[0] - other[0]);
    const floors = spans.map(([first, end]) => (first === end ? first : `${first}–${end}`)).join(', ');
    return conflict.branch_holds === 'former' ? say('keptFormer', { floors }) : say('keptCopy', { floors });
}

async function showEvents() {
    const answer = await askOfChat('events');
    const events = Array.isArray(answer?.events) ? answer.events : [];
    fill(parts.events, ...events.map(event => row(event, lampOf(event))));
    if (!events.length) fill(parts.events, make('div', { class: 'engram-hint', text: say('noEvents') }));
}

function showRecalled(answer) {
    const items = Array.isArray(answer?.items) ? answer.items : [];
    fill(parts.outcome, say(`outcome_${answer?.outcome ?? 'none'}`, { tokens: answer?.tokens ?? 0, ms: Math.round(answer?.ms ?? 0), count: items.length }));
    if (answer?.room) parts.outcome.append(make('div', { class: 'engram-hint', text: say('shortened', { room: answer.room, wanted: answer.wanted }) }));
    fill(parts.recalled, ...items.map(item => row(item, item.kind === 'event' && !item.volume ? lampOf(item) : null, item.volume ? null : muteOf(item), whyOf(item))));
}

function row(item, ...more) {
    const [first, end] = Array.isArray(item.floors) ? item.floors : [];
    const own = first === end ? say('floor', { first }) : say('floors', { first, last: end });
    const floors = item.volume ? `《${item.volume}》` : own;
    return make('div', { class: 'engram-item', 'data-ref': String(item.ref) },
        make('div', { class: 'engram-text', text: String(item.text ?? '') }),
        make('div', { class: 'engram-row engram-hint' }, make('span', { text: floors }), ...more),
    );
}

function whyOf(item) {
    const legs = Object.entries(item.why ?? {}).sort((one, other) => other[1] - one[1]).map(([leg]) => say(`leg_${leg}`));
    const words = (item.matched ?? []).slice(0, 6).map(String);
    const found = legs.length ? say('why', { legs: legs.join(say('and')) }) : '';
    return make('span', { class: 'engram-why', text: [found, words.join(' · ')].filter(Boolean).join(' — ') });
}

// 🔵 always in the prompt, 🟢 when it is recalled: a click turns it.
function lampOf(event) {
    const lamp = make('button', { type: 'button', class: 'engram-lamp' });
    const show = () => {
        lamp.dataset.lamp = event.lamp;
        lamp.title = say(event.lamp === 'green' ? 'lampGreen' : 'lampBlue');
        lamp.setAttribute('aria-label', lamp.title);
    };
    lamp.addEventListener('click', async () => {
        lamp.disabled = true;
        const answer = await askOfChat('lamp', { ref: event.ref, lamp: event.lamp === 'green' ? 'blue' : 'green' });
        lamp.disabled = false;
        if (answer?.lamp) event.lamp = answer.lamp;
        show();
        showStatus();
    });
    show();
    return lamp;
}

function muteOf(item) {
    if (item.kind === 'entity') return null;
    let isMuted = false;
    const control = button(say('mute'), async () => {
        control.disabled = true;
        const answer = await askOfChat('mute', { ref: item.ref, muted: !isMuted });
        control.disabled = false;
        if (!answer || answer.error) return;
        isMuted = answer.muted;
        control.textContent = say(isMuted ? 'unmute' : 'mute');
        control.closest('.engram-item')?.classList.toggle('engram-muted', isMuted);
    }, { class: 'menu_button engram-button engram-mute' });
    return control;
}

// 整理记忆: begin it, and show how far it is. Returns what came of it, in words.
export async function tidy() {
    let answer = await askOfChat('tidy');
    while (answer?.state === 'running') {
        parts.progress.hidden = false;
        if (answer.total) parts.progress.value = answer.done / answer.total;
        else parts.progress.removeAttribute('value');
        fill(parts.tidied, say('tidying', { done: answer.done ?? 0, total: answer.total ?? '…' }));
        await new Promise(resolve => setTimeout(resolve, ASK_AGAIN_MS));
        answer = await ask('tidying', { number: answer.number });
    }
    parts.progress.hidden = true;
    const words = !answer ? say('noChat')
        : answer.state === 'done' ? say('tidied', { archived: answer.archived ?? 0 })
            : say('tidyFailed', { message: answer.error?.message ?? '' });
    fill(parts.tidied, words);
    if (!panel.hidden) refresh();
    return words;
}

export async function showWindow() {
    const answer = await askOfChat('show') ?? await ask('show');
    const words = say(answer.shown ? 'windowShown' : 'noWindow');
    fill(parts.tidied, words);
    return words;
}

function askOfChat(name, body = {}) {
    const chat = openChat();
    return chat ? ask(name, { ...body, chat: { ...chat, tavern: settings().tavern } }) : Promise.resolve(null);
}
