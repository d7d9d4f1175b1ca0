// Builds the prompt of an answer for a text completion model, by each pair of templates, in each chat.
export default async (page, { chats, instructs, contexts, pairs, now }) => {
    await page.emulateTimezone('UTC');
    return page.evaluate(async (chats, instructs, contexts, pairs, now) => {
        const { moment } = await import('./lib.js');
        const script = await import('./script.js');
        const { power_user } = await import('./scripts/power-user.js');
        const { setUserAvatar } = await import('./scripts/personas.js');
        for (const level of ['warn', 'error', 'log', 'debug', 'info']) console[level] = () => {};
        await setUserAvatar('user-default.png', { toastPersonaNameChange: false });
        await script.getCharacters();
        document.querySelector('#main_api').value = 'textgenerationwebui';
        script.changeMainAPI('textgenerationwebui');
        script.setOnlineStatus('scripted');
        moment.now = () => now;
        const { eventSource, event_types } = SillyTavern.getContext();
        let prompt;
        eventSource.on(event_types.GENERATE_AFTER_COMBINE_PROMPTS, data => { prompt = data.prompt; });
        const answers = [];
        for (const { open, name } of chats) {
            const id = SillyTavern.getContext().characters.findIndex(character => character.avatar === open);
            await script.selectCharacterById(id);
            await until(() => SillyTavern.getContext().characterId == id);
            await sleep(300);
            await script.openCharacterChat(name);
            await until(() => SillyTavern.getContext().getCurrentChatId() === name);
            await sleep(500);
            const said = [];
            for (const [instruct, context] of pairs) {
                Object.assign(power_user.instruct, instructs[instruct]);
                Object.assign(power_user.context, contexts[context]);
                power_user.always_force_name2 = contexts[context].always_force_name2;
                prompt = null;
                await script.Generate('normal', {}, true);
                said.push(prompt);
            }
            answers.push(said);
        }
        return answers;
    }, chats, instructs, contexts, pairs, now);
};
