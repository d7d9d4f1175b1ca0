// What the companion keeps among SillyTavern's own settings. The key is kept there too: whoever can
// read SillyTavern's settings can read it, and the panel says so.

const PLACE = 'engram';
const DEFAULTS = {
    address: 'http://127.0.0.1:8642',
    key: '',
    isOn: true, // memory is put into prompts
    isTelling: true, // the server is told of the chats
    tavern: '', // what this SillyTavern is called there: made up once, tells nothing
};

export function settings() {
    const all = SillyTavern.getContext().extensionSettings;
    all[PLACE] = { ...DEFAULTS, ...all[PLACE] };
    if (!all[PLACE].tavern) {
        all[PLACE].tavern = madeUpName();
        keep();
    }
    return all[PLACE];
}

export function change(name, value) {
    settings()[name] = value;
    keep();
}

function keep() {
    SillyTavern.getContext().saveSettingsDebounced();
}

function madeUpName() {
    // Not crypto.randomUUID: over plain http from another machine a page has none.
    const numbers = crypto.getRandomValues(new Uint32Array(4));
    return [...numbers].map(number => number.toString(16).padStart(8, '0')).join('-');
}
