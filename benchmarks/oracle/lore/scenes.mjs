// What fires of a book in a whole generation (a dry run): after regex scripts, with hidden messages,
// author's notes, injections, a persona and a card. Each scene is set up in the page's own state.
export default async (page, scenes) => {
    await page.evaluate(() => { $('#main_api').val('openai').trigger('change'); });
    const answers = [];
    for (let at = 0; at < scenes.length; at += 20) {
        answers.push(...await page.evaluate(played, scenes.slice(at, at + 20)));
    }
    return answers;
};

async function played(scenes) {
    const wi = await import('./scripts/world-info.js');
    const { power_user } = await import('./scripts/power-user.js');
    const { extension_settings } = await import('./scripts/extensions.js');
    const { Generate } = await import('./script.js');
    let context = SillyTavern.getContext();
    if (context.characterId === undefined) {
        await context.selectCharacterById(0);
        await until(() => SillyTavern.getContext().characterId !== undefined && SillyTavern.getContext().chat.length > 0);
        context = SillyTavern.getContext();
    }
    const { chat_metadata } = await import('./script.js'); // another object with each chat
    console.log = console.debug = () => {};
    const card = context.characters[context.characterId];
    const file = card.avatar.replace(/\.[^/.]+$/, '');
    let fired = [];
    context.eventSource.on(context.eventTypes.WORLDINFO_SCAN_DONE, args => {
        fired = [...args.activated.entries.values()].map(e => e.uid);
    });
    let told = [];
    context.eventSource.on(context.eventTypes.CHAT_COMPLETION_PROMPT_READY, ({ chat }) => {
        told = chat.flatMap(m => String(m.content).split('\n')).map(line => line.trim()).filter(line => line.startsWith('Lore '));
    });
    const answers = [];
    for (const scene of scenes) {
        wi.worldInfoCache.set('Book0', { entries: scene.entries });
        wi.updateWorldInfoSettings({ ...scene.settings }, ['Book0']);
        context.chat.splice(0, context.chat.length, ...structuredClone(scene.messages));
        for (const key of Object.keys(context.extensionPrompts)) delete context.extensionPrompts[key];
        for (const key of Object.keys(chat_metadata)) delete chat_metadata[key];
        Object.assign(chat_metadata, scene.metadata, { timedWorldInfo: {} });
        $('#extension_floating_prompt').val(chat_metadata.note_prompt);
        extension_settings.note.allowWIScan = scene.scan_notes;
        extension_settings.note.chara = scene.character_note ? [{ name: file, ...scene.character_note }] : [];
        extension_settings.regex = scene.scripts;
        Object.assign(power_user, { persona_description: scene.persona.text, persona_description_position: scene.persona.position, persona_description_depth: 2, persona_description_role: 0 });
        for (const [key, value] of Object.entries(scene.card)) card[key] = card.data[key] = value;
        card.data.extensions.depth_prompt = { prompt: scene.card.depth_prompt, depth: 4, role: 'system' };
        for (const one of scene.injects) {
            await slash(`/inject id=${one.id} scan=${one.scan} position=${one.position} depth=1 ${one.text}`);
        }
        extension_settings.memory.scan = scene.scan_summary;
        if (scene.summary) $('#memory_contents').val(scene.summary).trigger('input');
        let error = '';
        for (let n = 0; n < 2; n++) { // the persona's text is put among the messages by the first
            fired = told = [];
            try { await Generate(scene.trigger, { quiet_prompt: '' }, true); } catch (e) { error = String(e?.stack ?? e); }
        }
        answers.push(error ? { error } : { fired, told });
        await slash('/flushinject');
    }
    return answers;
}
