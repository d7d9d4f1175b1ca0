// Holds each case against its chats with SillyTavern's own scan: what fires, in which order and
// where, and what stays or rests afterwards. Chance is a list of rolls, so that it can be repeated.
export default async (page, cases) => {
    await page.evaluate(async () => {
        const said = SillyTavern.getContext();
        await said.selectCharacterById(0);
        await until(() => SillyTavern.getContext().characterId !== undefined && SillyTavern.getContext().chat.length > 0);
        const { power_user } = await import('./scripts/power-user.js');
        $('#main_api').val('textgenerationwebui').trigger('change');
        power_user.tokenizer = 0; // a guess by bytes, which anybody can repeat
    });
    const answers = [];
    for (let at = 0; at < cases.length; at += 40) {
        answers.push(...await page.evaluate(held, cases.slice(at, at + 40)));
    }
    return answers;
};

async function held(cases) {
    const wi = await import('./scripts/world-info.js');
    const { power_user } = await import('./scripts/power-user.js');
    const { chat_metadata } = await import('./script.js');
    const context = SillyTavern.getContext();
    const card = context.characters[context.characterId];
    const random = Math.random;
    console.log = console.debug = () => {};
    const prompts = context.extensionPrompts;
    const named = entries => [...entries].map(e => [e.world, e.uid]);

    async function scan(one, step) {
        for (const key of Object.keys(prompts)) delete prompts[key];
        prompts['2_floating_prompt'] = { value: '', position: 1, depth: 4, scan: false, role: 0 };
        for (const [n, value] of (step.injected ?? []).entries()) prompts[`case_${n}`] = { value, position: 1, depth: 4, scan: true, role: 0 };
        if (step.meant) {
            const all = await wi.getSortedEntries();
            await context.eventSource.emit(context.eventTypes.WORLDINFO_FORCE_ACTIVATE,
                all.filter(e => step.meant.some(([world, uid]) => e.world === world && e.uid === uid)));
        }
        let number = 0;
        if (one.rolls) Math.random = () => one.rolls[number++ % one.rolls.length];
        try {
            const got = await wi.checkWorldInfo(step.messages, one.context, false, { trigger: 'normal', personaDescription: '', characterDescription: '', characterPersonality: '', characterDepthPrompt: '', scenario: '', creatorNotes: '', ...step.fields, trigger: step.trigger ?? 'normal' });
            const timed = kind => Object.fromEntries(Object.entries(chat_metadata.timedWorldInfo?.[kind] ?? {}).map(([key, e]) => [key, [e.start, e.end, e.protected]]));
            return {
                fired: named(got.allActivatedEntries),
                before: got.worldInfoBefore, after: got.worldInfoAfter,
                examples: got.EMEntries.map(e => [e.position, e.content]),
                depth: got.WIDepthEntries.map(e => [e.depth, e.role, e.entries]),
                note: [got.ANBeforeEntries, got.ANAfterEntries],
                outlets: got.outletEntries,
                sticky: timed('sticky'), cooldown: timed('cooldown'),
            };
        } catch (error) {
            return { error: String(error?.stack ?? error) };
        } finally {
            Math.random = random;
        }
    }

    const answers = [];
    for (const one of cases) {
        wi.worldInfoCache.clear?.();
        for (const [name, entries] of Object.entries(one.books)) wi.worldInfoCache.set(name, { entries });
        wi.updateWorldInfoSettings({ ...one.settings }, one.global ?? []);
        Object.assign(wi.world_info, { charLore: one.extra?.length ? [{ name: card.avatar.replace(/\.[^/.]+$/, ''), extraBooks: one.extra }] : [] });
        card.data.extensions.world = one.character ?? '';
        power_user.persona_description_lorebook = one.persona ?? '';
        chat_metadata.world_info = one.chat ?? '';
        delete chat_metadata.timedWorldInfo;
        context.tagMap[card.avatar] = one.tags ?? [];
        if (one.repeat) {
            const counts = {};
            for (let n = 0; n < one.repeat; n++) {
                const got = await scan(one, one.steps[0]); if (got.error) throw new Error(got.error);
                const key = JSON.stringify(got.fired.map(([, uid]) => uid).sort());
                counts[key] = (counts[key] ?? 0) + 1;
                delete chat_metadata.timedWorldInfo;
            }
            answers.push([{ counts }]);
            continue;
        }
        const steps = [];
        for (const step of one.steps) steps.push(await scan(one, step));
        answers.push(steps);
    }
    return answers;
}
