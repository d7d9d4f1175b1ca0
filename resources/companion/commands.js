// /engram recall …, status, tidy, show, panel, on, off.

import { recallBy } from './recall.js';
import { change } from './settings.js';
import { showPanel, showWindow, statusText, tidy } from './panel.js';
import { say } from './texts.js';

const VERBS = ['recall', 'status', 'tidy', 'show', 'panel', 'on', 'off'];

export function addCommands() {
    const { SlashCommandParser, SlashCommand, SlashCommandArgument, ARGUMENT_TYPE } = SillyTavern.getContext();
    SlashCommandParser.addCommandObject(SlashCommand.fromProps({
        name: 'engram',
        callback: (_named, words) => run(String(words ?? '').trim()),
        returns: 'text',
        unnamedArgumentList: [
            SlashCommandArgument.fromProps({
                description: VERBS.join(', '), typeList: [ARGUMENT_TYPE.STRING], isRequired: true,
            }),
        ],
        helpString: say('commandHelp'),
    }));
}

async function run(words) {
    const [verb, ...rest] = words.split(/\s+/);
    switch (verb) {
        case 'recall': {
            const answer = await recallBy(rest.join(' '));
            return [answer?.summaries, answer?.memories].filter(Boolean).join('\n\n');
        }
        case 'status': return statusText();
        case 'tidy': return tidy();
        case 'show': return showWindow();
        case 'panel': showPanel(true); return '';
        case 'on': case 'off': change('isOn', verb === 'on'); return verb;
        default: return say('commandHelp');
    }
}
