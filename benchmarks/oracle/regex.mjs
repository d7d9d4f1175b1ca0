// What SillyTavern's own regex scripts make of texts on their way to a prompt.
export default async (page, cases) => page.evaluate(async (cases) => {
    const { getRegexedString } = await import('./scripts/extensions/regex/engine.js');
    const { extension_settings } = await import('./scripts/extensions.js');
    const context = SillyTavern.getContext();
    if (context.characterId === undefined) {
        await context.selectCharacterById(0);
        await until(() => SillyTavern.getContext().characterId !== undefined && SillyTavern.getContext().chat.length > 0);
    }
    console.log = console.debug = console.warn = () => {};
    return cases.map(one => {
        extension_settings.regex = one.scripts;
        try {
            return { text: getRegexedString(one.text, one.placement, { isPrompt: true, depth: one.depth ?? undefined }) };
        } catch (error) {
            return { error: String(error) };
        }
    });
}, cases);
