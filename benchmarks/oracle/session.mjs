// Keeps SillyTavern's page open and does one thing after another in it.
//   node session.mjs SCRIPT
// SCRIPT exports functions `async (page, argument, tools)`. Each line of standard input is
// {"do": NAME, "with": ARGUMENT}; each answer is a line {"result"} or {"error"}.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { open, tools } from './browser.mjs';

const say = value => process.stdout.write(JSON.stringify(value) + '\n');
const acts = await import(pathToFileURL(process.argv[2]).href);
const { browser, page } = await open();
say({ result: 'ready' });
try {
    for await (const line of createInterface({ input: process.stdin })) {
        const asked = JSON.parse(line);
        try {
            say({ result: (await acts[asked.do](page, asked.with ?? {}, tools)) ?? null });
        } catch (error) {
            say({ error: String(error?.stack ?? error) });
        }
    }
} finally {
    await browser.close();
}
