// node browser.mjs ADDRESS [--site INDEX.html] [--shots FOLDER] [--only NAME]: the page in Debian's chromium, driven as a person would. Wrong is
// also: a message on the console, an exception, a request to anybody else, a page wider than its window, anything serious that
// axe-core finds. One line per trial; exit 1 when something is wrong.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const require = createRequire(import.meta.url);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const { values: { shots, only, site }, positionals: [base] } = parseArgs({ allowPositionals: true, options: { shots: { type: 'string' }, only: { type: 'string' }, site: { type: 'string' } } });
if (shots) mkdirSync(shots, { recursive: true });

// What is right comes in a fraction of a second; a machine that does much else may need very long for it. Only what is wrong waits
// that long, and after some wrong trials the others are not driven.
const PATIENCE = 90_000;
const MOST_WRONG = 5;

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true };
const DARK = { colorScheme: 'dark' };
const CONFIG = JSON.stringify({ model_type: 'gpt2', n_embd: 768, n_layer: 12, n_head: 12, vocab_size: 50257 });

class Trial {
    constructor(page, name, expected) { Object.assign(this, { page, name, expected, wrong: [], notes: [] }); }
    check(right, words) { if (!right) this.wrong.push(words); }
    async text(selector) { return (await this.page.locator(selector).first().innerText()).replace(/\u202f/g, ' '); }
    async open(hash) {
        await this.page.goto(base + hash);
        await this.page.waitForSelector('#main-start');
    }
    // Drawn with everything it needs, and no words over others.
    async mapDrawn() {
        await this.page.waitForSelector('.chart[data-drawn]');
        await this.page.evaluate(() => document.fonts.ready); // the last thing that moves what is clicked
        await this.uncovered();
    }
    async uncovered(selector = '') {
        if (selector) await this.page.waitForSelector(selector);
        await this.until('words lie over words on the map', async () => await this.page.getAttribute('.chart', 'data-covered') === '0');
    }
    async shot(name) { if (shots) await this.page.screenshot({ path: path.join(shots, `${name}.png`) }); }
    async sees(selector, words, timeout = PATIENCE) {
        if (typeof words === 'string') words = words.replace(/(?<=\d) (?=\d{3})/g, '\u202f'); // as the page writes thousands
        await this.page.locator(selector, { hasText: words }).first().waitFor({ timeout }).catch(() => this.wrong.push(`${selector}: never says ${words}`));
    }
    // Fluid is: a step of a drag or a scroll costs so little that 20 a second fit into one core, in processor time of the browser, which
    // other programs do not change; and there are 20 a second, where others leave most of the machine to the browser in one of
    // three attempts.
    async fluid(attempt) {
        let [least, best, judged] = [Infinity, 0, 0];
        for (let i = 0; i < 3 && (i === 0 || least > 0.05 || judged < 20); i++) {
            const before = processorTime();
            const steps = await attempt();
            const after = processorTime();
            const [own, others, wall] = [after.own - before.own, after.busy - before.busy - (after.own - before.own), after.at - before.at];
            least = Math.min(least, own / steps);
            best = Math.max(best, steps / wall);
            if (others < 0.25 * wall * availableParallelism()) judged = Math.max(judged, steps / wall);
        }
        this.notes.push(`${best.toFixed(0)} steps a second${judged === 0 ? ', not judged: other programs have the machine' : ''}, ${(1000 * least).toFixed(1)} ms of processor each`);
        this.check(least <= 0.05, `a step takes ${(1000 * least).toFixed(1)} ms of processor time`);
        this.check(judged === 0 || judged >= 20, `only ${judged.toFixed(1)} steps a second`);
    }
    // In here, not in the page, whose policy forbids the evaluation of text.
    async until(otherwise, holds) {
        for (const end = Date.now() + PATIENCE; Date.now() < end;) {
            if (await holds()) return;
            await this.page.waitForTimeout(50);
        }
        this.wrong.push(otherwise);
    }
    async fits() {
        const [wide, width] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        this.check(wide <= width, `the page is ${wide} pixels wide in a window of ${width}`);
    }
    // Words that lie over one another, or are cut off where nothing scrolls.
    async layout() {
        const found = await this.page.evaluate(async () => {
            // Charts take the size of their place, words their own face: until it is there a wider one stands in.
            for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
            await document.fonts.ready;
            for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
            const wrong = [];
            const boxes = [...document.querySelectorAll('h1, h2, h3, p, label, th, td, a, button, summary, .value, .title, .reading')].filter((e) => e.checkVisibility() && e.innerText?.trim() && !e.closest('.hidden-text, [hidden], .tip, .handle, .search, .popover fieldset, svg, .toast'));
            const leaves = boxes.filter((e) => !boxes.some((other) => other !== e && e.contains(other)));
            for (const e of leaves) if (e.scrollWidth > e.clientWidth + 2 && getComputedStyle(e).overflowX !== 'visible' && e.clientWidth > 0) wrong.push(`cut: ${e.innerText.slice(0, 40)}`);
            // The words themselves, as far as nothing that scrolls hides them.
            const shown = (e) => {
                const range = document.createRange();
                range.selectNodeContents(e);
                let { left, right, top, bottom } = range.getBoundingClientRect();
                for (let over = e.parentElement; over; over = over.parentElement) {
                    if (getComputedStyle(over).overflowY === 'visible') continue;
                    const clip = over.getBoundingClientRect();
                    [left, right, top, bottom] = [Math.max(left, clip.left), Math.min(right, clip.right), Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
                }
                return { left, right, top, bottom };
            };
            const rects = leaves.map((e) => [e, shown(e)]).filter(([, r]) => r.right > r.left && r.bottom > r.top && r.bottom > 0 && r.top < innerHeight);
            for (let i = 0; i < rects.length; i++) for (let k = i + 1; k < rects.length; k++) {
                const [a, b] = [rects[i][1], rects[k][1]];
                const over = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (over > 4 && down > 4 && !rects[i][0].closest('.panel') === !rects[k][0].closest('.panel')) wrong.push(`overlap: ${rects[i][0].innerText.slice(0, 30)} / ${rects[k][0].innerText.slice(0, 30)}`);
            }
            // Charts: words as large as those around them, none over another.
            for (const chart of document.querySelectorAll('svg.plot, svg.schematic, svg.squares')) {
                if (!chart.checkVisibility()) continue;
                const scale = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
                const words = [...chart.querySelectorAll('text')].map((e) => [e.textContent, e.getBoundingClientRect(), scale * parseFloat(getComputedStyle(e).fontSize), e.closest('.schematic')]);
                for (const [said, , size] of words) if (size < 10.5) wrong.push(`words of ${size.toFixed(1)} pixels in a chart: ${said}`);
                for (let i = 0; i < words.length; i++) for (let k = i + 1; k < words.length; k++) {
                    const [a, b] = [words[i][1], words[k][1]];
                    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6) wrong.push(`overlap in a chart: ${words[i][0]} / ${words[k][0]}`);
                }
            }
            return wrong;
        });
        this.wrong.push(...found.slice(0, 5));
    }
    async accessible() {
        await this.page.evaluate(axe);
        const serious = await this.page.evaluate(async () => {
            const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
            return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(', ')}`);
        }).catch((problem) => [`axe did not run: ${problem.message.split('\n')[0]}`]);
        this.wrong.push(...serious.map((line) => `axe ${line}`));
    }
}

// Seconds of processor time: of the processes below this one, and of all.
function processorTime() {
    const TICK = 100;
    const parents = new Map();
    const used = new Map();
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)) {
        try {
            const fields = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
            parents.set(id, Number(fields[1]));
            used.set(id, (Number(fields[11]) + Number(fields[12])) / TICK);
        } catch { /* it has ended */ }
    }
    const isOwn = (id) => { for (let at = id; at > 1; at = parents.get(at) ?? 0) if (at === process.pid) return true; return false; };
    const own = [...used].filter(([id]) => id === process.pid || isOwn(id)).reduce((sum, [, seconds]) => sum + seconds, 0);
    const all = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).slice(1, 9).map(Number);
    return { own, busy: (all.reduce((sum, one) => sum + one, 0) - all[3] - all[4]) / TICK, at: performance.now() / 1000 };
}

async function dropFile(page, name, content) {
    await page.evaluate(([fileName, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], fileName));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, [name, content]);
}

const TRIALS = {
    'map: first view': [DESKTOP, async (t) => {
        await t.open('');
        await t.mapDrawn();
        t.notes.push(`whole after ${await t.page.getAttribute('.chart', 'data-drawn')} ms, ${await t.page.getAttribute('.chart', 'data-names')} names`);
        t.check(Number(await t.page.getAttribute('.chart', 'data-names')) > 30, 'few names on the map');
        await t.sees('.lead', 'networks');
        await t.sees('.headline', '×');
        const colours = await t.page.evaluate(() => {
            const c = document.querySelector('.base-layer');
            const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            const seen = new Set();
            for (let i = 0; i < data.length; i += 400) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            return seen.size;
        });
        t.check(colours > 15, `the chart has only ${colours} colours`);
        const sent = await t.page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /page\.(js|css)/.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0));
        t.notes.push(`${Math.round(sent / 1000)} kB of script and style`);
        t.check(sent > 0 && sent < 150_000, `${sent} bytes of script and style`);
        await t.shot('map-light');
    }],
    'map: search, back and forward': [DESKTOP, async (t) => {
        await t.open('');
        await t.mapDrawn();
        await t.page.keyboard.press('/');
        await t.page.keyboard.type('t5 11');
        await t.sees('.search li', 'T5-11B');
        await t.page.keyboard.press('Enter');
        await t.sees('.card h2', 'T5-11B');
        t.check(t.page.url().includes('model=t5-11b'), 'the address does not say the model');
        await t.sees('.card .verdict', 'Attention is 16 times wider');
        await t.shot('map-selected');
        await t.page.goBack();
        await t.sees('.how h2', 'How to read this map');
        await t.page.goForward();
        await t.sees('.card h2', 'T5-11B');
        await t.page.click('.finding.severe summary');
        await t.sees('.finding.severe .source', 'Wies et al. 2021');
        await t.page.keyboard.press('/');
        await t.page.keyboard.type('flan-ul3');
        await t.sees('.search li', 'No model named flan-ul3');
    }],
    'map: dragging the budget': [DESKTOP, async (t) => {
        await t.open('');
        await t.mapDrawn();
        await t.sees('.headline', '16 × 640');
        const handle = await t.page.locator('.handle').boundingBox();
        const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
        await t.page.mouse.move(x, y);
        await t.page.mouse.down();
        // What the panel says meanwhile: an answer of the engine may come between two moves.
        await t.page.evaluate(() => {
            window.said_ = new Set();
            new MutationObserver(() => window.said_.add(document.querySelector('.headline')?.textContent ?? '')).observe(document.querySelector('.lower'), { childList: true, subtree: true });
        });
        await t.fluid(async () => {
            for (let i = 1; i <= 60; i++) {
                await Promise.all([t.page.mouse.move(x + 3 * i, y + 20 * Math.sin(i / 8)), t.page.evaluate(() => new Promise(requestAnimationFrame))]); // a frame each
            }
            return 60;
        });
        t.check(await t.page.evaluate(() => [...window.said_].some((text) => text.startsWith('Near'))), 'no advice while dragging');
        await t.shot('map-dragging');
        await t.page.mouse.up();
        await t.sees('.headline', 'heads of');
        t.check(/params=/.test(t.page.url()), 'the address does not say the budget');
    }],
    'map: clicking a point, a shared one, and water': [DESKTOP, async (t) => {
        await t.open('');
        await t.mapDrawn();
        const box = await t.page.locator('.chart').boundingBox();
        const place = (depth, width) => [box.x + 58 + (box.width - 72) * Math.log(width / 128) / Math.log(49152 / 128), box.y + 10 + (box.height - 56) * Math.log(depth / 3) / Math.log(160 / 3)];
        await t.page.mouse.move(...place(126, 16384));
        await t.sees('.tip', 'Llama-3.1-405B');
        await t.page.mouse.click(...place(126, 16384));
        await t.sees('.card h2', 'Llama-3.1-405B');
        await t.page.mouse.click(...place(12, 768));
        await t.sees('.several', 'models at 12 × 768');
        await t.page.locator('.several button', { hasText: /^gpt2/i }).first().click();
        await t.sees('.card h2', /gpt2/i);
        await t.page.mouse.click(...place(100, 300));
        await t.sees('.card h2', 'A trial network');
        await t.page.locator('.close').click();
        await t.sees('.how h2', 'How to read');
    }],
    'map: by keyboard': [DESKTOP, async (t) => {
        await t.open('');
        await t.mapDrawn();
        await t.page.focus('.handle');
        const before = Number(await t.page.getAttribute('.handle', 'aria-valuenow'));
        await t.page.keyboard.press('ArrowRight');
        t.check(Number(await t.page.getAttribute('.handle', 'aria-valuenow')) === Number((before * 1.05).toPrecision(3)), 'an arrow does not move the budget by 5 %');
        await t.page.keyboard.press('PageUp');
        t.check(Number(await t.page.getAttribute('.handle', 'aria-valuenow')) > 9 * before, 'Page Up does not multiply by ten');
        await t.sees('.headline', 'heads of'); // its announcement is over before the next
        await t.page.focus('.chart');
        await t.page.keyboard.press('End');
        await t.sees('.tip', 'Llama-3.1-405B');
        await t.page.keyboard.press('ArrowUp');
        await t.page.keyboard.press('ArrowLeft');
        await t.page.keyboard.press('End');
        await t.page.keyboard.press('Enter');
        await t.sees('.card h2', 'Llama-3.1-405B');
        await t.sees('[role=status]', 'Llama-3.1-405B');
        const stops = [];
        await t.page.evaluate(() => document.activeElement.blur());
        for (let i = 0; i < 40; i++) {
            await t.page.keyboard.press('Tab');
            stops.push(await t.page.evaluate(() => document.activeElement.className || document.activeElement.tagName));
        }
        for (const stop of ['params', 'handle', 'chart']) t.check(stops.some((name) => name.includes(stop)), `Tab never comes to ${stop}`);
    }],
    'map: fields, filters, table': [DESKTOP, async (t) => {
        await t.open('');
        await t.mapDrawn();
        await t.page.fill('input.params', 'many');
        await t.page.keyboard.press('Enter');
        await t.sees('.field-note', 'such as 100M');
        await t.page.fill('input.params', '1.5B');
        await t.page.keyboard.press('Enter');
        await t.sees('.eyebrow', '1.5B');
        await t.page.fill('input.context', '4096');
        await t.page.keyboard.press('Enter');
        await t.page.waitForURL(/context=4096/);
        await t.page.click('.filters summary');
        await t.page.locator('.filters select').first().selectOption('mixer');
        await t.sees('.lead', '11 networks');
        await t.page.locator('.filters input').first().fill('2022');
        await t.page.locator('.filters input').first().press('Enter');
        await t.until('the year does not filter', async () => !(await t.text('.lead')).startsWith('11 '));
        await t.page.click('.filters button');
        await t.sees('.lead', '148 networks');
        await t.page.click('.filters summary');
        await t.page.click('.lines summary');
        await t.page.locator('.lines label', { hasText: 'knee' }).click();
        await t.page.locator('.lines label', { hasText: 'what others' }).click();
        await t.page.click('.lines summary');
        await t.page.click('text=Show as table');
        t.check(await t.page.locator('.models tbody tr').count() === 148, 'the table has not every model');
        await t.page.locator('.models thead button', { hasText: 'width' }).click();
        await t.page.locator('.models thead button', { hasText: 'width' }).click();
        t.check((await t.text('.models tbody th')).startsWith('Llama-3.1-405B'), 'sorting by width does not bring the widest first');
        await t.shot('map-table');
    }],
    'map: a small budget': [DESKTOP, async (t) => {
        t.expected = [/400/];
        await t.open('#map?params=100000');
        await t.mapDrawn();
        await t.sees('.lower .problem', 'is less than one layer');
    }],
    'audit: three models': [DESKTOP, async (t) => {
        await t.open('#audit?models=t5-11b,gpt-3-175b,albert-xxlarge-v2');
        await t.sees('.card h2', 'ALBERT');
        t.check(await t.page.locator('.card').count() === 3, 'not three cards');
        t.check(await t.page.locator('.schematic').count() === 3, 'not three drawings');
        await t.page.selectOption('.audit-bar select', 'mixer-b-16');
        await t.sees('.card h2', 'Mixer');
        await t.page.locator('.card-place .close').first().click();
        await t.until('a card stays', async () => await t.page.locator('.card').count() === 3);
        await t.layout();
        await t.shot('audit-light');
    }],
    'audit: files': [DESKTOP, async (t) => {
        t.expected = [/400/, /422/];
        await t.open('#audit');
        await dropFile(t.page, 'config.json', CONFIG);
        await t.sees('.card h2', /./);
        t.check((await t.text('.card .facts')).includes('12 layers, width 768'), 'the dropped config was not read');
        t.check(await t.text('.card h2') === 'config.json', 'the card has not the name of the file');
        await t.page.locator('.card summary', { hasText: 'assumed' }).click();
        await t.sees('.card li', 'the file does not say');
        await dropFile(t.page, 'config.json', '{"model_type": "gpt2", ');
        await t.sees('.toast', 'config.json');
        await dropFile(t.page, 'model.safetensors', 'this is no header');
        await t.sees('.toast', 'model.safetensors');
    }],
    'advise': [DESKTOP, async (t) => {
        await t.open('#advise');
        await t.sees('.big', '16 × 640');
        t.check(await t.page.locator('.plot').count() === 1, 'no chart');
        await t.page.fill('.advise-form [name=params]', '20M');
        await t.page.selectOption('.advise-form [name=family]', 'mixer');
        await t.page.fill('.advise-form [name=patch]', '16x16x3');
        await t.page.click('.go');
        await t.page.waitForURL(/family=mixer/);
        await t.sees('.eyebrow', '20M');
        await t.page.goBack();
        await t.sees('.big', '16 × 640');
        const [download] = await Promise.all([t.page.waitForEvent('download'), t.page.click('text=Download config.json')]);
        t.check(/config\.json|plimsoll\.toml/.test(download.suggestedFilename()), `downloads ${download.suggestedFilename()}`);
        const [rows] = await Promise.all([t.page.waitForEvent('download'), t.page.click('.data-links >> text=CSV')]);
        t.check(readFileSync(await rows.path(), 'utf8').startsWith('depth,width,'), 'the CSV has no columns');
        await t.layout();
        await t.shot('advise-light');
    }],
    'rank: measured live': [DESKTOP, async (t) => {
        await t.open('#rank');
        await t.page.fill('.rank-form [name=depth]', '2');
        await t.page.click('.go');
        await t.sees('h1', 'The rank stops at');
        t.check(await t.page.locator('.rank-right circle').count() > 3, 'few points');
        await t.sees('.bounds', 'attained');
        await t.sees('.shapes', 'attention:depth=2,width=3,heads=1');
        await t.layout();
        await t.shot('rank-light');
    }],
    'rank: cancelled': [DESKTOP, async (t) => {
        await t.open('#rank?spec=attention:depth=3,width=6,heads=1&positions=12');
        await t.sees('.rank-left', 'the matrix grows');
        await t.page.click('text=Cancel');
        await t.sees('.rank-left', 'cancelled');
        t.check(await t.page.locator('.go').isVisible(), 'nothing to measure again with');
    }],
    'rank: the theorems on trial': [DESKTOP, async (t) => {
        await t.open('#rank');
        await t.page.click('text=Put all of them to the test');
        await t.sees('.claims', 'ERR-GROUPING', 2 * PATIENCE);
        t.check(await t.page.locator('.claims tbody tr').count() > 80, 'few claims');
    }],
};

// Ten thousand runs, answered by the test in the place of the server.
TRIALS['runs: ten thousand'] = [DESKTOP, async (t) => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: i.toString(16).padStart(16, '0'), name: `run ${i}`, phase: 'done', step: 100, loss: 1 + ((i * 7919) % 10_000) / 10_000, started: String(i) }));
    await t.page.route('**/api/v1/runs', (route) => route.fulfill({ json: { rows } }));
    await t.open('#runs');
    await t.sees('.lead', '10 000 runs');
    t.check(await t.page.locator('.run-inner .run-row').count() < 80, 'every row stands in the document');
    await t.page.locator('.heads button', { hasText: 'loss' }).click();
    await t.sees('.run-inner .run-row', /^run 0/);
    await t.fluid(() => t.page.evaluate(async () => {
        for (let i = 0; i < 60; i++) {
            document.querySelector('.run-list').scrollTop = i * 4900;
            await new Promise(requestAnimationFrame);
        }
        return 60;
    }));
    await t.page.focus('.run-list');
    await t.page.keyboard.press('End');
    await t.until('End does not come to the last run', async () => (await t.page.locator('.run-row[data-active]').innerText()).includes('run'));
}];

TRIALS['runs: chosen and compared'] = [DESKTOP, async (t) => {
    t.expected = [/400/];
    await t.open('#runs');
    await t.sees('.lead', 'runs');
    await t.page.locator('.run-inner .run-row', { hasText: 'deep' }).click();
    await t.sees('.run-right', 'Training loss');
    t.check(await t.page.locator('.run-right .plot').count() === 1, 'no curve');
    await t.page.locator('.run-inner .run-row', { hasText: 'shallow' }).click();
    await t.sees('.run-right', 'Where they differ');
    await t.sees('.run-right th', 'spec.depth');
    t.check(/runs=[0-9a-f]{16},[0-9a-f]{16}/.test(t.page.url()), 'the address does not say the runs');
    await t.layout();
    await t.shot('runs-light');
    await t.page.fill('.runs-view form input', 'phase=done');
    await t.page.keyboard.press('Enter');
    await t.sees('.lead', '2 runs');
    await t.page.fill('.runs-view form input', 'nonsense=1');
    await t.page.keyboard.press('Enter');
    await t.sees('.runs-view .problem', 'nonsense');
}];

// A run that trains until the test lets it end: its curve grows while one looks on, and stops when it is done.
TRIALS['runs: live'] = [DESKTOP, async (t) => {
    let [asked, ends] = [0, false];
    const run = () => ({ id: '0123456789abcdef', name: 'live', phase: ends ? 'done' : 'running', step: 10 * asked, 'train.steps': 100, loss: 3 });
    await t.page.route('**/api/v1/runs', (route) => { asked++; route.fulfill({ json: { rows: [run()] } }); });
    await t.page.route('**/metrics', (route) => route.fulfill({ json: Array.from({ length: 5 * asked }, (_, i) => ({ step: 2 * i, loss: 4 - i / 20 })) }));
    await t.page.route('**/api/v1/runs/0123456789abcdef', (route) => route.fulfill({ json: { ...run(), log: ['step 10'] } }));
    await t.open('#runs?runs=0123456789abcdef');
    await t.sees('.lead', '1 training now');
    await t.sees('.run-right', 'live');
    const points = async () => (await t.page.locator('.run-right .plot path[fill=none]').first().getAttribute('d')).split('L').length;
    const before = await points();
    await t.until('the curve does not grow', async () => await points() > before);
    ends = true;
    await t.until('the page does not see that the run is done', async () => !(await t.text('.lead')).includes('training'));
    const then = asked;
    await t.page.waitForTimeout(3500);
    t.check(asked === then, 'a run that is done is asked for again');
}];

// A sweep as a figure: depths, widths and seeds; the axes are chosen, and the address keeps them.
TRIALS['runs: the figure of a sweep'] = [DESKTOP, async (t) => {
    const rows = [1, 2, 4, 8].flatMap((depth) => [64, 128].flatMap((width) => [1, 2, 3].map((seed) => ({ id: `${depth}${width}${seed}`.padStart(16, '0'), name: '', phase: 'done', step: 100, loss: 2 / depth + 10 / width + seed / 100, parameters: depth * width, 'model.spec': `mixer:depth=${depth},channels=${width}` }))));
    await t.page.route('**/api/v1/runs', (route) => route.fulfill({ json: { rows } }));
    await t.open('#runs?series=channels');
    await t.sees('.figure h3', 'loss against depth');
    await t.sees('.figure-key', 'channels 128');
    t.check(await t.page.locator('.figure .plot circle[r="4"]').count() === 8, 'not one mean for each depth and width');
    t.check(await t.page.locator('.figure .plot circle[r="2.6"]').count() === 24, 'not one dot for each run');
    await t.layout();
    await t.shot('runs-figure');
    await t.page.locator('.figure select[name=x]').selectOption('channels');
    await t.sees('.figure h3', 'loss against channels');
    t.check(t.page.url().includes('x=channels'), 'the address does not say what the figure shows');
}];

// An experiment whose rows are kept, its findings and the page with its figures, which runs in a sandbox.
TRIALS['runs: reports'] = [DESKTOP, async (t) => {
    t.expected = [/404/];
    await t.open('#runs');
    await t.page.locator('.fits summary', { hasText: 'Reports' }).first().click();
    await t.page.locator('.fits .more summary', { hasText: 'navon-fig1' }).click();
    await t.sees('.report .found', 'as predicted');
    await t.page.locator('.fits .more summary', { hasText: 'wies-fig3' }).click();
    await t.sees('.report .problem', 'no rows are kept');
    await t.layout();
    await t.shot('runs-reports');
    const [popup] = await Promise.all([t.page.waitForEvent('popup'), t.page.locator('.report a', { hasText: 'figure' }).first().click()]);
    await popup.waitForSelector('svg, canvas, pre');
    const drawn = await popup.locator('svg, canvas').count() > 0;
    t.notes.push(drawn ? 'drawn' : 'as text: nothing is there to draw figures');
    const free = await popup.evaluate(() => { try { return localStorage.length >= 0; } catch { return false; } });
    t.check(!drawn || !free, 'the page of a report is not in a sandbox');
}];

// A fit that the test answers for: started, followed, stopped, resumed, and its answer opened.
TRIALS['runs: a fit'] = [DESKTOP, async (t) => {
    t.expected = [/404/, /400/];
    let state = '';
    const id = 'fedcba9876543210';
    const asked = [];
    const fit = () => ({ id, state, started: 1700000000, command: `plimsoll fit synthetic:grammar --time=1m --out=/x/${id}/fit`, has_answer: state === 'stopped', log: 'racing\n' });
    await t.page.route('**/api/v1/fits**', (route) => {
        const { pathname, search } = new URL(route.request().url());
        if (route.request().method() === 'POST') {
            asked.push(pathname.split('/').at(-1) + search);
            state = pathname.endsWith('/stop') ? 'stopped' : 'running';
        }
        route.fulfill({ json: route.request().method() === 'POST' ? fit() : state ? [fit()] : [] });
    });
    await t.page.route('**/api/v1/fits/*/*', (route) => { asked.push(route.request().url().split('/').at(-1)); state = route.request().url().endsWith('stop') ? 'stopped' : 'running'; route.fulfill({ json: fit() }); });
    await t.open('#runs');
    await t.page.click('.fits summary');
    await t.page.fill('.fits [name=data]', 'synthetic:grammar');
    await t.page.fill('.fits [name=time]', '1m');
    await t.page.click('.fits .go');
    await t.page.waitForURL(new RegExp(`fit=${id}`));
    await t.sees('h1', 'Runs of a fit');
    await t.sees('.fit', 'running');
    t.check(!(await t.text('.fit')).includes('--out'), 'the folder of the server is shown');
    await t.page.click('.fit >> text=Stop');
    await t.sees('.fit', 'stopped');
    t.check((await t.page.locator('.fit a', { hasText: 'answer so far' }).getAttribute('href')).endsWith(`${id}/report`), 'no answer to open');
    await t.page.click('.fit >> text=Resume');
    await t.sees('.fit', 'running');
    t.check(asked.join() === 'fits?data=synthetic%3Agrammar&time=1m,stop,resume', `asked for ${asked.join()}`);
    await t.layout();
    await t.shot('fits-light');
}];

// The server has only just been started, then ends before it has answered.
TRIALS['map: no data yet, and none at all'] = [DESKTOP, async (t) => {
    t.expected = [/ERR_/];
    let end;
    const ended = new Promise((done) => { end = done; });
    await t.page.route('**/api/v1/map', async (route) => { await ended; await route.abort('connectionrefused'); });
    await t.page.goto(base);
    await t.sees('.waits', 'are being judged');
    end();
    await t.sees('.waits', 'Is plimsoll serve still running');
    await t.page.unroute('**/api/v1/map');
    await t.page.click('.waits button');
    await t.mapDrawn();
}];

// Patches in the place of a vocabulary; the rules of others.
TRIALS['map: patches and other lines'] = [DESKTOP, async (t) => {
    await t.open('');
    await t.mapDrawn();
    await t.page.fill('input.vocab', '16 x 16');
    await t.page.keyboard.press('Enter');
    await t.page.waitForURL(/patch=16x16x3/);
    await t.sees('.lower', 'For patches of 16 × 16 × 3');
    await t.sees('.headline', /× .*heads of/);
    await t.page.click('.lines summary');
    await t.page.locator('.lines label', { hasText: 'Kaplan' }).click();
    await t.uncovered();
    await t.shot('map-patches');
    await t.page.fill('input.vocab', '50257');
    await t.page.keyboard.press('Enter');
    await t.page.waitForURL(/vocab=50257/);
    t.check(!t.page.url().includes('patch'), 'the address still says patches');
}];

// The server ends while one looks on: the page says so, and stays.
TRIALS['map: the server goes'] = [DESKTOP, async (t) => {
    t.expected = [/ERR_/];
    await t.open('');
    await t.mapDrawn();
    await t.sees('.headline', '16 × 640');
    await t.page.route('**/api/v1/**', (route) => route.abort('connectionrefused'));
    await t.page.fill('input.params', '300M');
    await t.page.keyboard.press('Enter');
    await t.sees('.strip', 'Not connected');
    t.check(await t.page.locator('.chart').isVisible(), 'the map is gone');
}];

// The same page as files, from disk.
const SITE = {
    'site: the map': [DESKTOP, async (t) => {
        await t.page.goto(site);
        await t.mapDrawn();
        await t.sees('.headline', '16 × 640');
        t.check(await t.page.locator('.top nav a').count() === 2, 'views that need the server are not hidden');
        t.check(await t.page.evaluate(() => document.fonts.check('500 25px "IBM Plex Serif"')), 'the fonts do not load');
        await t.page.keyboard.press('/');
        await t.page.keyboard.type('gpt2-xl');
        await t.page.keyboard.press('Enter');
        await t.sees('.card h2', /gpt2-xl/i);
        await t.page.focus('.handle');
        await t.page.keyboard.press('ArrowRight');
        await t.sees('.handle', '150M');
        await t.sees('.headline', 'heads of');
        await t.page.fill('input.context', '8192');
        await t.page.keyboard.press('Enter');
        await t.sees('.lower', 'For context 1 024');
        await t.fits();
        await t.shot('site-map');
    }],
    'site: audits': [PHONE, async (t) => {
        await t.page.goto(`${site}#audit?models=t5-11b,gpt2`);
        await t.sees('.card .verdict', 'Attention is 16 times wider');
        t.check(await t.page.locator('text=Open a file').count() === 0, 'a file can be opened without a server');
        await t.fits();
    }],
    'site: a view that needs the server': [DESKTOP, async (t) => {
        await t.page.goto(`${site}#rank`);
        await t.mapDrawn();
        t.check(await t.page.locator('.rank-form').count() === 0, 'rank is shown');
    }],
};

// Every view in every look.
const VIEWS = { runs: '#runs', map: '#map?model=t5-11b', audit: '#audit?models=t5-11b,albert-xxlarge-v2', advise: '#advise', rank: '#rank' };
const LOOKS = { light: DESKTOP, dark: { ...DESKTOP, ...DARK }, phone: PHONE, 'phone-dark': { ...PHONE, ...DARK }, laptop: { viewport: { width: 1280, height: 800 } }, tablet: { viewport: { width: 900, height: 1100 } }, '4k': { viewport: { width: 3840, height: 2160 } }, 'forced-colors': { ...DESKTOP, forcedColors: 'active' } };
const READY = { runs: '.run-inner .run-row', map: '.card .verdict', audit: '.card .verdict', advise: '.big', rank: '.rank-form' };
for (const [view, hash] of Object.entries(VIEWS)) for (const [look, options] of Object.entries(LOOKS)) {
    TRIALS[`${view}: ${look}`] = [options, async (t) => {
        await t.open(hash);
        await t.page.waitForSelector(READY[view]);
        if (view === 'map') await t.mapDrawn();
        if (look === '4k') t.check((await t.page.locator('h1').boundingBox()).height > 40, 'words are as small as on a small screen');
        await t.fits();
        await t.layout();
        if (!['4k', 'tablet', 'laptop'].includes(look)) await t.accessible();
        await t.shot(`${view}-${look}`);
    }];
}

async function run(browser, name, [options, trial]) {
    const context = await browser.newContext({ ...options, acceptDownloads: true });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const t = new Trial(page, name, []);
    const own = name.startsWith('site') ? site.replace(/[^/]*$/, '') : new URL(base).origin;
    page.on('console', (message) => { if (!t.expected.some((known) => known.test(message.text()))) t.wrong.push(`console ${message.type()}: ${message.text()}`); });
    page.on('pageerror', (error) => t.wrong.push(`exception: ${error.message}`));
    page.on('request', (request) => { if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url())) t.wrong.push(`request: ${request.url()}`); });
    await trial(t).catch((problem) => t.wrong.push(problem.message.split('\n').slice(0, 2).join(' ')));
    if (t.wrong.length > 0 && shots) await page.screenshot({ path: path.join(shots, `WRONG-${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`) });
    await context.close();
    console.log(`${t.wrong.length > 0 ? 'WRONG' : 'right'}  ${name}${t.notes.length > 0 ? `: ${t.notes.join(', ')}` : ''}`);
    for (const line of t.wrong) console.log(`       ${line}`);
    return t.wrong.length === 0;
}

// Root may not use the sandbox; what is opened is our own page.
const browser = await chromium.launch({ executablePath: process.env.PLIMSOLL_CHROMIUM ?? '/usr/bin/chromium', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
try {
    let wrong = 0;
    for (const [name, trial] of Object.entries(site ? { ...TRIALS, ...SITE } : TRIALS)) {
        if (only && !name.includes(only)) continue;
        if (await run(browser, name, trial)) continue;
        process.exitCode = 1;
        if (++wrong < MOST_WRONG) continue;
        console.log(`${wrong} trials are wrong: those that follow are not driven`);
        break;
    }
} finally {
    await browser.close();
}
