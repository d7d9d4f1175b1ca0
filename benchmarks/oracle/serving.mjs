// What a player does in SillyTavern's page with Engram's companion and its memory server.

const settled = (page, ms = 400) => page.evaluate(async ms => {
    await until(() => !document.body.dataset.generating, 20000);
    await sleep(ms);
}, ms);

export const shot = async (page, { file }) => { await page.screenshot({ path: file }); };
export const sleep = (page, { ms }, tools) => tools.sleep(ms);
export const slash = async (page, { command }, tools) => {
    const said = await tools.slash(page, command);
    await settled(page);
    return said === undefined ? null : said;
};
export const reload = async (page, _argument, tools) => {
    await page.reload({ waitUntil: 'domcontentloaded' });
    await tools.ready(page);
};
export const yes = page => page.evaluate(() => { sayYes(); });
export const queue = (page, { replies }, tools) => tools.queue(...replies);
export const prompts = (page, _argument, tools) => tools.prompts();
export const clear = (page, _argument, tools) => tools.clear();

// Writes a message as a player does, and waits for the reply.
export const say = async (page, { text, reply }, tools) => {
    if (reply) await tools.queue(reply);
    const count = await page.evaluate(() => SillyTavern.getContext().chat.length);
    await page.evaluate(text => {
        $('#send_textarea').val(text).trigger('input');
        $('#send_but').trigger('click');
    }, text);
    await page.evaluate(count => until(() => SillyTavern.getContext().chat.length >= count + 2, 20000), count);
    await settled(page);
    return page.evaluate(() => SillyTavern.getContext().chat.at(-1)?.mes);
};
// Writes a message, and presses the stop button when the reply has begun; returns what stands then.
export const stopped = async (page, { text, reply }, tools) => {
    await tools.queue(reply);
    await tools.pace(60);
    const count = await page.evaluate(() => SillyTavern.getContext().chat.length);
    await page.evaluate(async (text, count) => {
        $('#send_textarea').val(text).trigger('input');
        $('#send_but').trigger('click');
        await until(() => SillyTavern.getContext().chat.length >= count + 2 && SillyTavern.getContext().chat.at(-1).mes.length > 40, 20000);
        $('#mes_stop').trigger('click');
    }, text, count);
    await settled(page);
    await tools.pace(0);
    return page.evaluate(() => SillyTavern.getContext().chat.at(-1)?.mes);
};
export const swipe = async (page, { reply }, tools) => {
    if (reply) await tools.queue(reply);
    await page.evaluate(async () => {
        const before = SillyTavern.getContext().chat.at(-1).swipe_id;
        $('.last_mes .swipe_right').trigger('click');
        await until(() => SillyTavern.getContext().chat.at(-1).swipe_id !== before, 5000);
    });
    await settled(page, 900);
};
export const edit = async (page, { floor, text }) => {
    await page.evaluate(async (floor, text) => {
        const message = $(`#chat .mes[mesid="${floor}"]`);
        message.find('.mes_edit').trigger('click');
        await until(() => $('#curEditTextarea').length > 0, 3000);
        $('#curEditTextarea').val(text).trigger('input');
        message.find('.mes_edit_done').trigger('click');
        await sleep(400);
    }, floor, text);
    await settled(page);
};
export const here = page => page.evaluate(() => {
    const context = SillyTavern.getContext();
    return {
        file: context.getCurrentChatId() ?? '', group: context.groupId ?? '',
        avatar: context.characters[context.characterId]?.avatar ?? '',
        chat: context.chat.map(message => ({ name: message.name, mes: message.mes, is_user: message.is_user, is_system: message.is_system })),
    };
});
export const open = (page, { name }) => page.evaluate(async name => {
    const context = SillyTavern.getContext();
    context.groupId ? await context.openGroupChat(context.groupId, name) : await context.openCharacterChat(name);
    await sleep(600);
}, name);
export const group = page => page.evaluate(async () => {
    const { convertSoloToGroupChat } = await import('./scripts/bookmarks.js');
    await convertSoloToGroupChat();
    await sleep(700);
});
// Adds to the card or the preset of what is open.
export const describe = (page, { text }) => page.evaluate(async text => {
    const context = SillyTavern.getContext();
    context.characters[context.characterId].data.description = text;
    context.characters[context.characterId].description = text;
}, text);
export const mainPrompt = (page, { text }) => page.evaluate(text => {
    const prompts = SillyTavern.getContext().chatCompletionSettings.prompts;
    const main = prompts.find(prompt => prompt.identifier === 'main');
    const before = main.content;
    main.content = text;
    return before;
}, text);

// Opens the companion's drawer, fills in where the server is, and presses Pair.
export const pair = (page, { address, key }) => page.evaluate(async (address, key) => {
    const drawer = document.querySelector('#engram-drawer');
    if (!drawer) return 'no drawer';
    $('#extensions-settings-button .drawer-toggle').trigger('click');
    await sleep(400);
    if (!$('#engram-pair').is(':visible')) $(drawer).find('.inline-drawer-toggle').trigger('click');
    await sleep(400);
    $('#engram-address').val(address)[0].dispatchEvent(new Event('change'));
    $('#engram-key').val(key)[0].dispatchEvent(new Event('change'));
    $('#engram-pair')[0].click();
    await until(() => !['off', 'away'].includes(drawer.querySelector('.engram-mark').dataset.state), 8000);
    await sleep(300);
    drawer.scrollIntoView();
    return drawer.querySelector('.engram-state').textContent;
}, address, key);
export const closeDrawers = page => page.evaluate(async () => {
    $('.drawer-icon.openIcon').closest('.drawer-toggle').trigger('click');
    await sleep(500);
});
export const panel = (page, { isShown }) => page.evaluate(async isShown => {
    const panel = document.querySelector('#engram-panel');
    if (panel.hidden === isShown) document.querySelector('#engram-menu').click();
    await sleep(800);
    return {
        status: panel.querySelector('.engram-status').textContent,
        recalled: [...panel.querySelectorAll('#engram-recalled .engram-text')].map(each => each.textContent),
        why: [...panel.querySelectorAll('#engram-recalled .engram-why')].map(each => each.textContent),
        events: [...panel.querySelectorAll('#engram-events .engram-text')].map(each => each.textContent),
        lamps: [...panel.querySelectorAll('.engram-lamp')].map(each => each.dataset.lamp),
        outcome: panel.querySelectorAll('.engram-hint')[1]?.textContent,
        mark: panel.querySelector('.engram-mark').dataset.state,
        markup: panel.querySelectorAll('img, script, b:not(header b)').length,
    };
}, isShown);
// Clicks what a selector names in the panel, the first of it.
export const press = (page, { selector }) => page.evaluate(async selector => {
    document.querySelector(`#engram-panel ${selector}`).click();
    await sleep(900);
}, selector);
export const mark = page => page.evaluate(() => document.querySelector('#engram-drawer .engram-mark')?.dataset.state ?? '');
export const toasts = page => page.evaluate(() => [...document.querySelectorAll('#toast-container .toast')].map(each => each.textContent));
// Hears nothing of an event that SillyTavern sends; counts the milliseconds of a reply.
export const timed = async (page, argument, tools) => {
    const begin = Date.now();
    await say(page, argument, tools);
    return Date.now() - begin;
};
// Connects to an OpenAI-compatible address, as a player does in the drawer of connections.
export const connect = (page, { url, key }) => page.evaluate(async (url, key) => {
    const context = SillyTavern.getContext();
    $('#custom_api_url_text').val(url).trigger('input');
    $('#api_key_custom').val(key).trigger('input');
    context.chatCompletionSettings.custom_url = url;
    $('#api_button_openai').trigger('click');
    await sleep(1500);
    await until(() => SillyTavern.getContext().onlineStatus !== 'no_connection', 8000);
    return SillyTavern.getContext().onlineStatus;
}, url, key);
// Connects to an address for text completion, with a template's name or "" for names alone.
export const connectText = async (page, { url, key, template }, tools) => {
    await tools.slash(page, template ? `/instruct ${template}` : '/instruct-off');
    if (template) await tools.slash(page, `/context ${template}`);
    return page.evaluate(async (url, key) => {
        const { textgenerationwebui_settings: settings } = await import('./scripts/textgen-settings.js');
        const { changeMainAPI } = await import('./script.js');
        $('#main_api').val('textgenerationwebui');
        changeMainAPI('textgenerationwebui');
        $('#textgen_type').val('generic');
        settings.type = 'generic';
        settings.streaming = false;
        $('#generic_api_url_text').val(url).trigger('input');
        settings.server_urls.generic = url;
        $('#api_key_generic').val(key).trigger('input');
        $('#api_button_textgenerationwebui').trigger('click');
        await sleep(1500);
        await until(() => SillyTavern.getContext().onlineStatus !== 'no_connection', 8000);
        return SillyTavern.getContext().onlineStatus;
    }, url, key);
};
export const streamed = (page, { isOn }) => page.evaluate(isOn => {
    SillyTavern.getContext().chatCompletionSettings.stream_openai = isOn;
}, isOn);
export const cut = (page, { tokens }) => page.evaluate(tokens => {
    SillyTavern.getContext().chatCompletionSettings.openai_max_context = tokens;
}, tokens);
