// Asks the memory server. Every question has a time limit, and an answer or a reason; none throws.
// A page whose address the server does not allow cannot even read the refusal: to it the server is
// not there, and the panel names both reasons.

import { settings } from './settings.js';

const LONGEST_MS = 15000; // for whatever no generation waits for
const FORGIVE_MS = 20000; // after a failure no generation waits for it again for so long

const listeners = new Set();
// state: off (nothing is set up), on, away (it did not answer), refused (another key), old (it
// speaks another version of the protocol)
export const link = { state: 'off', allowance: 400, place: { at: 'system', depth: 4 }, failedAt: 0 };

export function onLink(listener) {
    listeners.add(listener);
}

export function isWorthAsking() {
    return Boolean(settings().key) && Date.now() - link.failedAt > FORGIVE_MS;
}

// What the server answers, or {error: {code, message}}.
export async function ask(name, body = {}, limit = LONGEST_MS) {
    const { address, key } = settings();
    if (!address || !key) {
        become('off');
        return { error: { code: 'NotPaired', message: '' } };
    }
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), limit);
    try {
        const response = await fetch(`${address.trim().replace(/\/+$/, '').replace(/\/v1$/, '')}/companion/v1/${name}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key.trim()}` },
            body: JSON.stringify(body),
            signal: control.signal,
            credentials: 'omit',
            cache: 'no-store',
        });
        const answer = await response.json().catch(() => null);
        if (response.status === 401 || response.status === 403) {
            failed('refused');
            return { error: { code: 'Refused', message: String(answer?.error?.message ?? '') } };
        }
        if (response.status === 413 || response.status === 503) {
            return { error: { code: 'Busy', message: String(answer?.error?.message ?? '') } };
        }
        if (!answer || typeof answer !== 'object') {
            failed('away');
            return { error: { code: 'NoAnswer', message: `HTTP ${response.status}` } };
        }
        become('on');
        return answer;
    } catch (error) {
        failed('away');
        return { error: { code: control.signal.aborted ? 'Late' : 'Away', message: String(error?.message ?? error) } };
    } finally {
        clearTimeout(timer);
    }
}

// Whether the server is there, takes the key and speaks as this companion does.
export async function pair(limit = LONGEST_MS) {
    link.failedAt = 0;
    const answer = await ask('hello', {}, limit);
    if (answer.error) return answer;
    if (answer.program !== 'engram' || answer.protocol !== 1) {
        failed('old');
        return { error: { code: 'Old', message: '' } };
    }
    link.allowance = Number(answer.allowance_ms) || 400;
    link.place = answer.place ?? link.place;
    return answer;
}

function failed(state) {
    link.failedAt = Date.now();
    become(state);
}

function become(state) {
    if (state === 'on') link.failedAt = 0;
    if (state === link.state) return;
    link.state = state;
    for (const listener of listeners) listener(state);
}
