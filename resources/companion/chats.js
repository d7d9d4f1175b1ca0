// Which chat is open, its rows as SillyTavern writes them, and what changed between two looks.

const SLICE_MS = 8; // of work at a time, so that nothing on the page waits

// What names the open chat; null where none is, as on the welcome page.
export function openChat() {
    const context = SillyTavern.getContext();
    const file = context.getCurrentChatId();
    if (!file) return null;
    const slip = String(context.chatMetadata?.integrity ?? '');
    if (context.groupId) {
        const group = context.groups.find(each => each.id === context.groupId);
        if (!group) return null;
        return {
            owner: String(group.id),
            file: String(file),
            is_group: true,
            group_name: String(group.name ?? ''),
            members: (group.members ?? []).map(String),
            slip,
        };
    }
    const character = context.characters[context.characterId];
    if (!character?.avatar) return null;
    return { owner: character.avatar, file: String(file), is_group: false, slip };
}

export function isSame(one, other) {
    return Boolean(one && other) && one.owner === other.owner && one.file === other.file;
}

// The first line of a chat's file.
export function headerOf(context) {
    return JSON.stringify({ chat_metadata: context.chatMetadata ?? {}, user_name: 'unused', character_name: 'unused' });
}

// Every row as a line, and a print of each: a few at a time.
export async function linesOf(messages) {
    const lines = [];
    const prints = [];
    let until = performance.now() + SLICE_MS;
    for (let index = 0; index < messages.length; index++) {
        const line = JSON.stringify(messages[index]);
        lines.push(line);
        prints.push(printOf(line));
        if (performance.now() > until) {
            await new Promise(resolve => setTimeout(resolve));
            until = performance.now() + SLICE_MS;
        }
    }
    return { lines, prints };
}

// 53 bits that two different texts hardly share; no secret.
export function printOf(text) {
    let low = 0x811c9dc5;
    let high = 0x01000193 ^ text.length;
    for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        low = Math.imul(low ^ code, 0x01000193);
        high = Math.imul(high + code, 0x5bd1e995) ^ (high >>> 13);
    }
    return (high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff);
}

// The smallest stretch in which two lists differ; null where they are the same.
export function difference(before, now) {
    let first = 0;
    while (first < before.length && first < now.length && before[first] === now[first]) first++;
    let last = 0;
    while (
        last < before.length - first &&
        last < now.length - first &&
        before[before.length - 1 - last] === now[now.length - 1 - last]
    ) {
        last++;
    }
    const removed = before.length - first - last;
    const added = now.length - first - last;
    return removed || added ? { first, removed, added } : null;
}
