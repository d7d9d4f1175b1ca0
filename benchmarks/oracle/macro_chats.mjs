// Opens each chat and fills each text in it, as SillyTavern fills a prompt. The clock stands still.
export default async (page, { chats, texts, now }) => {
    await page.emulateTimezone('UTC');
    return page.evaluate(async (chats, texts, now) => {
        const { moment } = await import('./lib.js');
        const script = await import('./script.js');
        const { openGroupById } = await import('./scripts/group-chats.js');
        const { setUserAvatar } = await import('./scripts/personas.js');
        for (const level of ['warn', 'error', 'log', 'debug', 'info']) console[level] = () => {};
        await setUserAvatar('user-default.png', { toastPersonaNameChange: false }).catch?.(() => {});
        await script.getCharacters();
        moment.now = () => now;
        const answers = [];
        for (const { open, group, name } of chats) {
            if (group) {
                await openGroupById(group);
                await until(() => SillyTavern.getContext().groupId === group && SillyTavern.getContext().chat.length > 0);
                // Whose turn it is, as while an answer is made.
                script.setCharacterId(SillyTavern.getContext().characters.findIndex(character => character.name === open));
                script.setCharacterName(open);
            } else {
                const id = SillyTavern.getContext().characters.findIndex(character => character.avatar === open);
                await script.selectCharacterById(id);
                await until(() => SillyTavern.getContext().characterId == id);
                await sleep(300);
                await script.openCharacterChat(name);
                await until(() => SillyTavern.getContext().getCurrentChatId() === name);
            }
            await sleep(500);
            const variables = JSON.stringify(SillyTavern.getContext().chatMetadata.variables ?? {});
            const shared = JSON.stringify(SillyTavern.getContext().extensionSettings.variables.global);
            answers.push(texts.map(text => {
                SillyTavern.getContext().chatMetadata.variables = JSON.parse(variables);
                SillyTavern.getContext().extensionSettings.variables.global = JSON.parse(shared);
                return script.substituteParams(text);
            }));
        }
        return answers;
    }, chats, texts, now);
};
