// A Vega-Lite spec drawn in node: what render.mjs and check_spec.mjs share.
import { createRequire } from 'node:module';
import { FACES, letterWidths } from './fonts.mjs';

const require = createRequire(import.meta.url);
const vega = require('vega');
const vegaLite = require('vega-lite');

const widths = new Map(); // face name and weight -> letter widths
const NEAREST_WEIGHT = (weight) => (weight >= 600 || weight === 'bold' ? 600 : weight >= 500 ? 500 : 400);

// The letters' widths of the face that a browser would take for a font list and a weight.
function widthsFor(font, weight) {
    const name = /condensed/i.test(font) ? 'sans-condensed' : /serif/i.test(font.replace(/sans-serif/gi, '')) ? 'serif' : /mono/i.test(font) ? 'mono' : 'sans';
    const wanted = NEAREST_WEIGHT(weight);
    const key = `${name} ${wanted}`;
    if (!widths.has(key)) {
        const faces = FACES.filter(([face]) => face === name);
        widths.set(key, letterWidths(faces.find(([, has]) => has === wanted) ?? faces[0]));
    }
    return widths.get(key);
}

// Vega's hook for text widths where there is no canvas.
vega.textMetrics.width = (item, text) => {
    const letters = widthsFor(item.font ?? 'sans-serif', item.fontWeight);
    const size = item.fontSize ?? 11;
    let total = 0;
    for (const letter of String(text ?? '').trim()) total += letters.get(letter.codePointAt(0)) ?? 0.6;
    return total * size;
};

// A logger whose warnings and errors go to `messages`.
function listener(messages) {
    const note = (...parts) => (messages.push(parts.map((part) => part?.message ?? String(part)).join(' ')), logger);
    const logger = { level: () => logger, error: note, warn: note, info: () => logger, debug: () => logger };
    return logger;
}

// Figures carry their data; nothing is ever fetched.
const refuse = (uri) => Promise.reject(new Error(`a figure carries its data; refused to fetch ${uri}`));
const LOADER = { load: refuse, http: refuse, file: refuse, sanitize: refuse, options: {} };

// The spec as SVG, with the warnings of its compilation and its drawing.
export async function draw(spec) {
    const warnings = [];
    const logger = listener(warnings);
    const compiled = vegaLite.compile(spec, { logger }).spec;
    const view = new vega.View(vega.parse(compiled), { renderer: 'none', logger, loader: LOADER });
    const svg = await view.toSVG();
    view.finalize();
    return { svg, warnings };
}

export const VERSIONS = { vega: vega.version, vegaLite: vegaLite.version };
