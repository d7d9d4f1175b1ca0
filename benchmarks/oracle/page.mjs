// Opens SillyTavern in a headless Chromium and runs one function of ours in it.
//   node page.mjs SCRIPT QUESTION ANSWER
// SCRIPT exports `default async (page, question, tools)`; what it returns is written as JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { open, tools } from './browser.mjs';

const [script, question, answer] = process.argv.slice(2);
const { browser, page } = await open();
try {
    const { default: run } = await import(pathToFileURL(script).href);
    const result = await run(page, JSON.parse(readFileSync(question, 'utf-8')), tools);
    writeFileSync(answer, JSON.stringify(result ?? null));
} finally {
    await browser.close();
}
