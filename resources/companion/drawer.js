// The companion's drawer among SillyTavern's extension settings: pairing, and what it may do.

import { button, fill, make } from './elements.js';
import { lookSoon } from './telling.js';
import { link, onLink, pair } from './server.js';
import { say } from './texts.js';
import { change, settings } from './settings.js';
import { showPanel } from './panel.js';

const mark = make('span', { class: 'engram-mark', 'aria-hidden': 'true' });
const state = make('div', { class: 'engram-state', role: 'status' });

export function addDrawer() {
    const place = document.querySelector('#extensions_settings2') ?? document.querySelector('#extensions_settings');
    if (!place || document.querySelector('#engram-drawer')) return;
    const content = make('div', { class: 'inline-drawer-content' },
        field('address', 'text', 'url'),
        field('key', 'password', 'off'),
        make('small', { class: 'engram-hint', text: say('keyNote') }),
        make('div', { class: 'engram-row' },
            button(say('pair'), test, { id: 'engram-pair' }),
            button(say('openPanel'), () => showPanel(true), { id: 'engram-open-panel' }),
        ),
        state,
        choice('isOn'),
        choice('isTelling', () => lookSoon()),
        make('small', { class: 'engram-hint', text: say('macroNote') }),
    );
    place.append(make('div', { id: 'engram-drawer', class: 'engram-drawer' },
        make('div', { class: 'inline-drawer' },
            make('div', { class: 'inline-drawer-toggle inline-drawer-header' },
                make('b', {}, 'Engram ', mark),
                make('div', { class: 'inline-drawer-icon fa-solid fa-circle-chevron-down down' }),
            ),
            content,
        ),
    ));
    onLink(show);
    show(link.state);
}

function field(name, type, autocomplete) {
    const id = `engram-${name}`;
    const input = make('input', { id, type, class: 'text_pole', autocomplete, spellcheck: 'false', value: settings()[name] });
    input.addEventListener('change', () => change(name, input.value.trim()));
    return make('div', { class: 'engram-field' }, make('label', { for: id, text: say(name) }), input);
}

function choice(name, onChange = () => {}) {
    const input = make('input', { type: 'checkbox', id: `engram-${name}` });
    input.checked = settings()[name];
    input.addEventListener('change', () => { change(name, input.checked); onChange(); });
    return make('label', { class: 'checkbox_label engram-choice' }, input, make('span', { text: say(name) }));
}

async function test() {
    for (const name of ['address', 'key']) change(name, document.querySelector(`#engram-${name}`).value.trim());
    fill(state, say('pairing'));
    const answer = await pair();
    if (answer.error) fill(state, say(`pair${answer.error.code}`, { address: settings().address, message: answer.error.message, origin: location.origin }));
    else fill(state, say('paired', { version: answer.version }));
    if (!answer.error) lookSoon();
}

function show(name) {
    mark.dataset.state = name;
    mark.title = say(`link_${name}`);
    fill(state, say(`link_${name}`));
}
