// Plays acts in the page, one after another, and tells what the folder held after each: every chat
// file and group as lines. A state between two (`is_whole` false) was seen while an act was writing.
//   question: {folder, seed}; answer: [{act, what, from, to, is_whole, files: {path: [text]}}]
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join, basename, dirname } from 'node:path';

const QUIET_MS = 1300; // no file changed for so long: the act is over (it saves up to a second later)
const LONGEST_MS = 12000;
const PLACES = ['chats', 'group chats', 'groups'];

function filesOf(folder) {
    const found = {};
    const walk = path => {
        if (!existsSync(join(folder, path))) return;
        for (const entry of readdirSync(join(folder, path), { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))) {
            const here = `${path}/${entry.name}`;
            if (entry.isDirectory()) walk(here); // nothing is asked of a file: SillyTavern's temporary ones go at any moment
            else if (/\.jsonl?$/.test(entry.name)) {
                try { found[here] = readFileSync(join(folder, here), 'utf-8').split('\n'); } catch { /* just gone */ }
            }
        }
    };
    PLACES.forEach(walk);
    return found;
}

export default async (page, { folder }, tools) => {
    const states = [];
    let seen = '';
    const look = (act, is_whole) => {
        const files = filesOf(folder);
        const text = JSON.stringify(files);
        if (is_whole) states.push({ ...act, is_whole, files });
        else if (text !== seen) states.push({ act: act.act, is_whole, files });
        const changed = text !== seen;
        seen = text;
        return changed;
    };
    const here = () => page.evaluate(() => {
        const c = SillyTavern.getContext();
        const id = c.getCurrentChatId();
        if (!id) return '';
        return c.groupId ? `group chats/${id}.jsonl` : `chats/${c.characters[c.characterId].avatar.replace('.png', '')}/${id}.jsonl`;
    });

    // One act: `what` says what it does to the identity of files.
    const act = async (name, run, what = 'same') => {
        const from = await here();
        let over = false;
        const playing = Promise.resolve(run()).finally(() => { over = true; });
        const begin = Date.now();
        let last = Date.now();
        while (Date.now() - begin < LONGEST_MS && !(over && Date.now() - last > QUIET_MS)) {
            await tools.sleep(15);
            if (look({ act: name }, false)) last = Date.now();
        }
        await playing;
        const to = await here();
        if (states.length && !states.at(-1).is_whole) states.pop();
        look({ act: name, what, from, to }, true);
    };
    const slash = command => tools.slash(page, command);
    const say = async text => { await slash(`/send ${text}`); await slash('/trigger await=true'); };
    const editing = (floor, button, text) => page.evaluate(async (floor, button, text) => {
        const mes = $(`#chat .mes[mesid="${floor}"]`);
        mes.find('.mes_edit').trigger('click');
        await until(() => $('#curEditTextarea').length > 0, 3000);
        if (text !== null) $('#curEditTextarea').val(text).trigger('input');
        mes.find(button).trigger('click');
        await sleep(400);
        $('dialog[open] .popup-button-ok:visible').last().trigger('click');
        await sleep(400);
        if (button !== '.mes_edit_done' && $('#curEditTextarea').length) $('#curEditTextarea').closest('.mes').find('.mes_edit_cancel').trigger('click');
        await sleep(200);
    }, floor, button, text ?? null);
    const swipe = (direction, floor) => page.evaluate(async direction => {
        const before = SillyTavern.getContext().chat.at(-1).swipe_id;
        $(`.last_mes .swipe_${direction}`).trigger('click');
        await until(() => SillyTavern.getContext().chat.at(-1).swipe_id !== before, 5000);
        await until(() => !document.body.dataset.generating, 8000);
        await sleep(900);
    }, direction);
    const open = name => page.evaluate(async name => {
        const c = SillyTavern.getContext();
        c.groupId ? await c.openGroupChat(c.groupId, name) : await c.openCharacterChat(name);
        await sleep(300);
    }, name);
    const imported = (text, name) => page.evaluate(async (text, name) => {
        const c = SillyTavern.getContext();
        const form = new FormData();
        form.set('file_type', 'jsonl');
        form.set('avatar', new File([text], name, { type: 'application/json' }));
        form.set('user_name', c.name1);
        form.set('avatar_url', c.characters[c.characterId].avatar);
        form.set('character_name', c.characters[c.characterId].name);
        const { importCharacterChat } = await import('./script.js');
        await importCharacterChat(form, { refresh: false });
    }, text, name);
    const stem = path => basename(path).replace('.jsonl', '');
    const textOf = path => readFileSync(join(folder, path), 'utf-8');

    await page.evaluate(() => { sayYes(); });
    await tools.clear();
    await page.evaluate(async () => {
        const c = SillyTavern.getContext();
        c.powerUserSettings.auto_swipe = false;
    });
    await slash('/char-create select=true name="Mira" description="A cartographer." firstMessage="Mira looks up from her maps and waves you in."');
    await tools.sleep(1500);
    await slash('/char-create name="Tobin" description="A ferryman." firstMessage="Tobin ties the boat to the pier."');
    await tools.sleep(500);
    await slash('/go Mira');
    await tools.sleep(1200);
    const replies = [
        'She unrolls a chart of the northern coast and points at a lighthouse.',
        'The lighthouse keeper vanished in the winter, she says, and lowers her voice.',
        'Mira packs ink, rope and a brass compass into a leather bag.',
        'They leave before dawn; the road is white with frost.',
        'At the bridge an old man asks for a coin and gives a riddle instead.',
        'She answers the riddle at once and laughs at his face.',
        'In the inn of Harrow they hear that the lamp was lit again last night.',
    ];
    await tools.queue(...replies);
    await act('new chat', () => slash('/newchat'), 'new');
    const lines = ['Where does this map lead?', 'What happened there?', 'Then let us go and see.', 'Is it far?', 'Who is that?', 'Do you know the answer?', 'What do people say here?'];
    for (const line of lines) await act('send and reply', () => say(line));
    await act('swipe', async () => { await tools.queue('In the inn of Harrow nobody wants to talk.'); await swipe('right'); });
    await act('swipe back', () => swipe('left'));
    await act('swipe again', () => swipe('right'));
    await act('edit a user message', () => editing(3, '.mes_edit_done', 'What happened there, Mira?'));
    await act('edit a reply with swipes', () => editing(14, '.mes_edit_done', 'In the inn of Harrow nobody talks to strangers.'));
    await act('edit an early reply', () => editing(4, '.mes_edit_done', 'The keeper vanished in autumn, she says, and closes the door.'));
    await act('hide one', () => slash('/hide 5'));
    await act('hide a range', () => slash('/hide 0-2'));
    await act('unhide', () => slash('/unhide 0-5'));
    await act('move a message down', () => editing(7, '.mes_edit_down'));
    await act('move a message up', () => editing(11, '.mes_edit_up'));
    await act('move it back', () => editing(8, '.mes_edit_up'));
    await act('narrate', () => slash('/sys The wind turns to the north.'));
    await act('comment', () => slash('/comment remember the coin'));
    await act('speak as', () => slash('/sendas name="Innkeeper" The rooms are upstairs.'));
    await act('continue', async () => { await tools.queue(' And mind the third step.'); await slash('/continue await=true'); });
    await act('regenerate', async () => { await tools.queue('Mira takes the key and goes up without a word.'); await slash('/trigger await=true'); await tools.queue('Mira takes both keys and smiles.'); await slash('/regenerate await=true'); });
    const root = await here();
    await act('branch', () => slash('/branch-create 8'), 'branch');
    const first = await here();
    await tools.queue('The old man takes the coin and opens the gate.', 'Behind the gate the road is dry and warm.');
    await act('play in the branch', () => say('I give him two coins.'));
    await act('play on in the branch', () => say('Where are we?'));
    await act('hide what is shared', () => slash('/hide 1-3'));
    await act('add a swipe', () => slash('/addswipe switch=true Behind the gate it snows.'));
    await act('delete a swipe', () => slash('/delswipe'));
    await act('branch of the branch', () => slash('/branch-create 10'), 'branch');
    const second = await here();
    await act('play in the second branch', async () => { await tools.queue('The gate falls shut behind them.'); await say('We turn back.'); });
    await act('back to the main chat', () => open(stem(root)));
    await act('checkpoint', () => slash('/checkpoint-create mesId=12 The inn'), 'branch');
    await act('play on', async () => { await tools.queue('Upstairs the window stands open.'); await say('Let us sleep.'); });
    await act('delete the last', () => slash('/del 1'));
    await act('delete the last two', () => slash('/del 2'));
    await act('cut a middle message', () => slash('/cut 13'));
    await act('cut a range', () => slash('/cut 9-10'));
    await act('delete from the editor', () => editing(11, '.mes_edit_delete'));
    await act('copy a message', () => editing(6, '.mes_edit_copy'));
    await act('play after cuts', async () => { await tools.queue('The lamp burns all night on the cliff.'); await say('Look, the light!'); });
    await act('rename the chat', () => slash('/renamechat The lighthouse'), 'renamed');
    await act('open the branch', () => open(stem(first)));
    await act('rename the branch', () => page.evaluate(async from => {
        const { renameGroupOrCharacterChat } = await import('./script.js');
        const c = SillyTavern.getContext();
        await renameGroupOrCharacterChat({ characterId: c.characterId, groupId: null, oldFileName: from, newFileName: 'The dry road', loader: false });
    }, stem(first)), 'renamed');
    await act('play in the renamed branch', async () => { await tools.queue('A fox watches them from a wall.'); await say('What is that?'); });
    await act('rename the character and update past chats', () => slash('/rename-char silent=true chats=true Mirabel'), 'character');
    await act('play as the new name', async () => { await tools.queue('The fox follows them to the crossroads.'); await say('It follows us.'); });
    await act('open the main chat', () => open('The lighthouse'));
    await act('play in the main chat', async () => { await tools.queue('She draws the cliff in her notebook.'); await say('Draw it.'); });
    await act('another persona', () => page.evaluate(async () => {
        const { user_avatar } = await import('./scripts/personas.js');
        const c = SillyTavern.getContext();
        c.powerUserSettings.personas[user_avatar] = 'Annika';
        const { setUserName } = await import('./script.js');
        setUserName('Annika');
        await sleep(300);
    }));
    await act('sync the persona', () => slash('/persona-sync'));
    await act('play as the persona', async () => { await tools.queue('The drawing shows a door in the rock.'); await say('Is that a door?'); });
    await act('open the renamed branch', () => open('The dry road'));
    await act('sync the persona in the branch', () => slash('/persona-sync'));
    await act('unhide in the branch', () => slash('/unhide 0-3'));
    await act('back to the lighthouse', () => open('The lighthouse'));
    await act('another role', () => slash('/message-role at=5 assistant'));
    await act('rename one speaker', () => slash('/message-name at=9 Keeper'));
    await act('close the chat', () => slash('/closechat'));
    await act('open it again', () => slash('/go Mirabel'));
    await act('open the main chat again', () => open('The lighthouse'));
    await act('import a copy', () => imported(textOf('chats/Mirabel/The lighthouse.jsonl'), 'copy.jsonl'), 'copy');
    await act('play on beside the copy', async () => { await tools.queue('The door is painted, and yet it opens.'); await say('Open it.'); });
    await act('another chat', () => slash('/newchat'), 'new');
    await act('play in the other chat', async () => { await tools.queue('A second map, this one of the south.', 'The south is dunes and wells.'); await say('Another map?'); await say('Tell me of the south.'); });
    await act('delete the other chat', () => slash('/delchat'), 'deleted');
    await act('open the lighthouse', () => open('The lighthouse'));
    await act('edit a shared message', () => editing(2, '.mes_edit_done', 'She unrolls a chart of the southern coast and points at a tower.'));
    await act('convert to a group', () => page.evaluate(async () => {
        const { convertSoloToGroupChat } = await import('./scripts/bookmarks.js');
        await convertSoloToGroupChat();
        await sleep(500);
    }), 'converted');
    await act('play in the group', async () => { await tools.queue('Behind the door are stairs going down.'); await say('What is behind it?'); });
    await act('add a member', () => slash('/member-add Tobin'));
    await act('the new member speaks', async () => { await tools.queue('I can row us there, Tobin says.'); await slash('/trigger await=true Tobin'); });
    await act('branch in the group', () => slash('/branch-create 6'), 'branch');
    await act('play in the group branch', async () => { await tools.queue('The ferry leaves at noon.'); await slash('/send When does the ferry leave?'); await slash('/trigger await=true Tobin'); });
    await act('remove a member', () => slash('/member-remove Tobin'));
    await act('rename the group branch', () => slash('/renamechat The ferry'), 'renamed');
    await act('hide in the group', () => slash('/hide 3'));
    await act('move in the group', () => editing(5, '.mes_edit_up'));
    await act('a chat with another character', async () => { await slash('/go Tobin'); await tools.sleep(800); await tools.queue('To the island, he says.', 'Two hours with this wind.'); await say('Where do you go?'); await say('How long?'); }, 'new');
    await act('rename the other character alone', () => slash('/rename-char silent=true chats=false Tobias'), 'character');
    await act('play under the other name', async () => { await tools.queue('Mind your head, he says.'); await say('We set off.'); });
    await act('rename the solo chat of another', () => slash('/renamechat The island'), 'renamed');
    await act('back to the solo chat', async () => { await slash('/go Mirabel'); await tools.sleep(800); });
    await act('open the solo chat', () => open('The lighthouse'));
    await act('play on in the solo chat', async () => { await tools.queue('The door leads nowhere at all.'); await say('Let us go home.'); });
    return states;
};
