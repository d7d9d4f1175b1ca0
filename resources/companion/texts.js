// The panel's texts, in the language of SillyTavern's page.

// The beginning of a locale, and the file for it; all others read English.
const FILES = { zh: 'zh-cn', ja: 'ja-jp' };

let texts = {};

export async function readTexts() {
    const locale = String(SillyTavern.getContext().getCurrentLocale?.() ?? navigator.language ?? '').toLowerCase();
    const name = FILES[locale.slice(0, 2)] ?? 'en';
    const response = await fetch(new URL(`./texts/${name}.json`, import.meta.url));
    texts = await response.json();
}

// The text of a key, with {name} filled from values. It is only ever set as text, never as HTML.
export function say(key, values = {}) {
    return String(texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
