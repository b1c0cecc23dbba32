// node open_page.mjs PAGE.html [--only LOOK] [--shots FOLDER]: opens a report in Debian's chromium and looks at it as a reader would.
// Wrong is: a message on the console, an exception, a request for anything but the file itself, a figure without marks,
// rows that do not open, a page wider than a phone. One line per look; exit 1 when something is wrong.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const require = createRequire(import.meta.url);
const { chromium } = require('playwright-core');

const LOOKS = [
    { name: 'light', width: 1280, height: 900, colorScheme: 'light' },
    { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
    { name: 'phone', width: 375, height: 812, colorScheme: 'light' },
    { name: 'phone-dark', width: 375, height: 812, colorScheme: 'dark' },
    { name: 'forced-colors', width: 1280, height: 900, colorScheme: 'light', forcedColors: 'active' },
    { name: 'no-script', width: 1280, height: 900, colorScheme: 'light', javaScriptEnabled: false },
];
const MARKS = '[class*="mark-"] path[aria-roledescription], [class*="mark-symbol"] path, [class*="mark-line"] path, [class*="mark-rect"] path, [class*="mark-area"] path';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' }, shots: { type: 'string' } } });
const { only, shots } = values;
const address = pathToFileURL(path.resolve(positionals[0])).href;
if (shots) mkdirSync(shots, { recursive: true });

// Notes whatever the page says or asks for.
function listen(page, wrong) {
    page.on('console', (message) => wrong.push(`console ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => wrong.push(`exception: ${error.message}`));
    page.on('request', (request) => {
        const url = request.url();
        if (url !== address && !/^(data|blob):/.test(url)) wrong.push(`request: ${url}`);
    });
}

// Each figure has drawn marks; drawn by the page's script where scripts run.
async function lookAtFigures(page, scripted, wrong) {
    if (scripted) await page.waitForFunction(() => [...document.querySelectorAll('.plot')].every((plot) => plot.dataset.drawn), null, { timeout: 20000 }).catch(() => wrong.push('a figure was never drawn'));
    const figures = await page.$$eval('.plot', (plots, marks) => plots.map((plot) => ({
        name: plot.closest('figure').id, empty: plot.closest('section')?.querySelector('details.rows')?.dataset.count === '0', marks: plot.querySelectorAll(marks).length, label: plot.getAttribute('aria-label'),
        ink: [...plot.querySelectorAll('text')].some((text) => getComputedStyle(text).fill !== 'none'),
        overflow: Number(plot.querySelector('svg')?.getAttribute('width')) - plot.clientWidth,
    })), MARKS);
    for (const { name, empty, marks, ink, label, overflow } of figures) {
        if (marks === 0 && !empty) wrong.push(`${name}: no marks`);
        if (!ink) wrong.push(`${name}: its text has no colour`);
        if (!label) wrong.push(`${name}: nothing for those who do not see it`);
        if (scripted && overflow > 0) wrong.push(`${name}: ${overflow} pixels wider than its place`);
    }
    return figures;
}

// Opens the rows below each figure with the keyboard, and counts them.
async function openRows(page, wrong) {
    let total = 0;
    for (const details of await page.$$('details.rows')) {
        await (await details.$('summary')).press('Enter');
        const count = await details.getAttribute('data-count');
        const opened = await details.waitForSelector(count === '0' ? 'thead' : 'tbody tr', { timeout: 5000 }).catch(() => null);
        if (opened === null) wrong.push('rows did not open');
        total += await details.$$eval('tbody tr', (rows) => rows.length);
        if ((await details.$('a[download]')) === null) wrong.push('rows without a CSV to download');
    }
    return total;
}

async function look(browser, { name, width, height, ...options }) {
    const wrong = [];
    const context = await browser.newContext({ viewport: { width, height }, ...options });
    const page = await context.newPage();
    listen(page, wrong);
    await page.goto(address);
    const scripted = options.javaScriptEnabled !== false;
    const figures = await lookAtFigures(page, scripted, wrong);
    if (shots) await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
    const rows = scripted ? await openRows(page, wrong) : 0;
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) wrong.push(`the page is ${wide} pixels wide`);
    await context.close();
    const marks = figures.reduce((sum, figure) => sum + figure.marks, 0);
    console.log(`${name}: ${figures.length} figures, ${marks} marks, ${rows} rows${wrong.length > 0 ? '; WRONG' : ''}`);
    for (const line of wrong) console.log(`  ${line}`);
    return wrong.length === 0;
}

// Root may not use the sandbox; what is opened is our own page.
const browser = await chromium.launch({ executablePath: process.env.PLIMSOLL_CHROMIUM ?? '/usr/bin/chromium', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
try {
    for (const options of LOOKS.filter(({ name }) => !only || name === only)) if (!(await look(browser, options))) process.exitCode = 1;
} finally {
    await browser.close();
}
