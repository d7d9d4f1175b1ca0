// Fills each text in its world with SillyTavern's own engine, and tells the text and the variables after.
// A world is what there is beforehand: variables, names and messages. The clock stands still.
export default async (page, { worlds, cases, now, own }) => {
    await page.emulateTimezone('UTC');
    return page.evaluate(async (worlds, cases, now, own) => {
        const { MacroEngine } = await import('./scripts/macros/engine/MacroEngine.js');
        const { MacroEnvBuilder } = await import('./scripts/macros/engine/MacroEnvBuilder.js');
        const { MacroRegistry } = await import('./scripts/macros/engine/MacroRegistry.js');
        const { moment } = await import('./lib.js');
        const context = SillyTavern.getContext();
        const settings = context.extensionSettings;
        const plain = value => JSON.parse(JSON.stringify(value));
        for (const level of ['warn', 'error', 'log', 'debug', 'info']) console[level] = () => {};
        moment.now = () => now;
        const answers = [];
        for (const { text, world, times } of cases) {
            const { local, shared, user, char, chat } = worlds[world];
            const seen = [];
            let after;
            for (let n = 0; n < (times ?? 1); n++) {
                context.chatMetadata.variables = plain(local);
                settings.variables.global = plain(shared);
                context.chatMetadata.chat_id_hash = 4711;
                context.chat.splice(0, context.chat.length, ...plain(chat));
                const env = MacroEnvBuilder.buildFromRawEnv({ content: text, name1Override: user, name2Override: char });
                seen.push(MacroEngine.evaluate(text, env));
                after = { local: plain(context.chatMetadata.variables), shared: plain(settings.variables.global) };
            }
            answers.push(times ? { any: [...new Set(seen)].sort() } : { text: seen[0], ...after });
        }
        // What each macro without arguments says, which is a matter of the chat and not of the engine.
        const values = worlds.map(({ user, char, chat }) => {
            context.chat.splice(0, context.chat.length, ...plain(chat));
            const env = MacroEnvBuilder.buildFromRawEnv({ content: '', name1Override: user, name2Override: char });
            const told = MacroRegistry.getAllMacros().filter(macro => macro.minArgs === 0 && !macro.list && !own.includes(macro.name.toLowerCase()))
                .map(({ name }) => [name, MacroEngine.evaluate(`{{${name}}}`, env)]).filter(([name, value]) => value !== `{{${name}}}`);
            return Object.fromEntries(told.sort());
        });
        return { answers, values };
    }, worlds, cases, now, own);
};
