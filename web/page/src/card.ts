// The audit of a model as a card: verdict, where the bottleneck sits, findings with their sources, what to change.

import type { Audit, Finding } from './api';
import { h, s } from './dom';
import { grouped, spaced } from './format';
import { lineDepth, type LoadLine } from './line';

const SYMBOLS = { severe: 'needs action', notice: 'note', ok: 'passed', info: 'note' } as const;

export function symbol(severity: Finding['severity']): SVGSVGElement {
    const shape = severity === 'severe' ? s('path', { d: 'M7 1.6 13 12.4H1Z', fill: 'var(--warn-fill)', stroke: 'var(--warn)', 'stroke-width': 1 })
        : severity === 'ok' ? s('circle', { cx: 7, cy: 7, r: 4.2, fill: 'none', stroke: 'var(--good)', 'stroke-width': 2 })
            : s('path', { d: 'M2.5 7h9', stroke: severity === 'notice' ? 'var(--warn)' : 'var(--ink-2)', 'stroke-width': 2 });
    return s('svg', { class: 'symbol', viewBox: '0 0 14 14', width: 14, height: 14, role: 'img', 'aria-label': SYMBOLS[severity] }, shape);
}

// Findings whose value and line are one kind of number, with the ends of their scale.
const SCALES: Record<string, [number, number]> = { 'attention-width': [0.25, 32], 'input-rank': [0.01, 2], 'depth-threshold': [0.25, 16] };

/** A logarithmic line with the mark where the value should be and a dot where it is. */
function scale(finding: Finding): SVGSVGElement | null {
    const ends = SCALES[finding.id];
    if (!ends || !finding.value || !finding.line || finding.value <= 0) return null;
    const [low, high] = ends;
    const at = (value: number) => 8 + 304 * Math.min(Math.max(Math.log(value / low) / Math.log(high / low), 0), 1);
    const [value, line] = [at(finding.value), at(finding.line)];
    const warns = finding.severity === 'severe' || finding.severity === 'notice';
    return s('svg', { class: 'scale', viewBox: '0 0 320 16', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
        s('path', { d: 'M8 8H312', stroke: 'var(--rule-strong)', 'stroke-width': 1 }),
        warns && s('path', { d: `M${line} 8H${value}`, stroke: 'var(--warn-fill)', 'stroke-width': 3 }),
        s('circle', { cx: line, cy: 8, r: 5.5, fill: 'var(--surface)', stroke: 'var(--ink)', 'stroke-width': 1.8 }),
        s('path', { d: `M${line - 10} 8h20`, stroke: 'var(--ink)', 'stroke-width': 1.8 }),
        s('circle', { cx: value, cy: 8, r: 3.6, fill: warns ? 'var(--warn-fill)' : 'var(--good)', stroke: warns ? 'var(--warn)' : 'var(--good)', 'stroke-width': 1 }));
}

export function findingRow(finding: Finding, withScale: boolean): HTMLElement {
    const sourceText = `${finding.source.citation}${finding.source.claim ? ` (${finding.source.claim})` : ''}: ${finding.source.basis}.`;
    const title = finding.title.charAt(0).toUpperCase() + finding.title.slice(1);
    return h('details', { class: `finding ${finding.severity}` },
        h('summary', {}, symbol(finding.severity), h('span', { class: 'title' }, title), h('span', { class: 'value' }, spaced(finding.shown)),
            withScale && scale(finding), h('span', { class: 'reading' }, spaced(finding.reading))),
        h('div', { class: 'source' }, h('p', {}, spaced(finding.text)), h('p', { class: 'faint' }, sourceText), finding.remedy ? h('p', {}, h('b', {}, 'Change: '), spaced(finding.remedy)) : null));
}

interface Row { name: string; value: number; narrow: boolean; cut: boolean; repeated: boolean }

// Widths in the order data flows.
function rowsOf(audit: Audit): Row[] {
    const width = audit.width!;
    const rank = audit.input_rank_over_width === null ? width : Math.max(1, Math.round(audit.input_rank_over_width * width));
    const attention = audit.attention_over_width === null ? null : Math.round(audit.attention_over_width * width);
    const wide = attention !== null && attention > width * 1.01;
    const rows: Row[] = [];
    if (audit.vocab) rows.push({ name: 'vocabulary', value: audit.vocab, narrow: audit.vocab < width, cut: audit.vocab > Math.max(width, attention ?? 0), repeated: false });
    rows.push({ name: 'embedding rank', value: rank, narrow: rank < width * 0.99, cut: false, repeated: false });
    rows.push({ name: 'stream', value: width, narrow: wide, cut: false, repeated: true });
    if (attention !== null) rows.push({ name: `attention × ${audit.depth ?? ''}`, value: attention, narrow: attention < width * 0.99, cut: false, repeated: true });
    rows.push({ name: 'stream', value: width, narrow: wide, cut: false, repeated: true });
    return rows;
}

const torn = (left: number, right: number, y: number, height: number) =>
    `M${left} ${y}H${right}l-3 ${height / 4}l3 ${height / 4}l-3 ${height / 4}l3 ${height / 4}H${left}l3 ${-height / 4}l-3 ${-height / 4}l3 ${-height / 4}Z`;

function bars(rows: Row[], widest: number, height: number): SVGElement[] {
    const [middle, half] = [178, 74];
    const pitch = height / rows.length;
    const bar = Math.min(13, pitch * 0.5);
    const drawn: SVGElement[] = [];
    const halves = rows.map(({ value, cut }) => (cut ? half : Math.max(1.5, (half * value) / widest)));
    for (let i = 0; i + 1 < rows.length; i++) {
        const [y0, y1] = [i * pitch + pitch / 2 + bar / 2, (i + 1) * pitch + pitch / 2 - bar / 2];
        drawn.push(s('path', { d: `M${middle - halves[i]} ${y0}H${middle + halves[i]}L${middle + halves[i + 1]} ${y1}H${middle - halves[i + 1]}Z`, fill: 'var(--taper)' }));
    }
    rows.forEach((row, i) => {
        const y = i * pitch + pitch / 2;
        const fill = row.narrow ? 'var(--warn-fill)' : row.cut ? 'var(--cut)' : 'var(--schematic)';
        const [left, right] = [middle - halves[i], middle + halves[i]];
        drawn.push(row.cut ? s('path', { d: torn(left, right, y - bar / 2, bar), fill }) : s('rect', { x: left, y: y - bar / 2, width: right - left, height: bar, fill, stroke: row.narrow ? 'var(--warn)' : 'none' }));
        const colour = row.narrow ? 'var(--warn)' : 'var(--ink-2)';
        drawn.push(s('text', { x: 262, y: y + 4, class: 'small', fill: colour, 'font-weight': row.narrow ? 600 : 400 }, row.name));
        drawn.push(s('text', { x: 420, y: y + 4, class: 'small', fill: row.narrow ? 'var(--warn)' : 'var(--ink)', 'text-anchor': 'end', 'font-weight': row.narrow ? 600 : 500 }, grouped(row.value)));
    });
    const first = rows.findIndex(({ repeated }) => repeated);
    drawn.push(s('path', { d: `M100 ${first * pitch + 3}h-5V${height - 3}h5`, fill: 'none', stroke: 'var(--rule-strong)' }));
    return drawn;
}

// Zero at the top, the column down to the model's depth, the mark at the depth of the line for its width.
function gauge(depth: number, line: number, height: number): SVGElement[] {
    const scale = (height - 18) / Math.max(depth, line);
    const [at, should] = [4 + depth * scale, 4 + line * scale];
    const apart = Math.abs(at - should) < 14 ? (depth < line ? -7 : 7) : 0;
    const deep = depth > line;
    return [
        s('path', { d: 'M52 4h16', stroke: 'var(--rule-strong)' }),
        s('rect', { x: 56, y: 4, width: 8, height: Math.min(at, should) - 4, fill: 'var(--schematic)' }),
        deep ? s('rect', { x: 56, y: should, width: 8, height: at - should, fill: 'var(--schematic)', opacity: 0.55 })
            : s('rect', { x: 56.5, y: at, width: 7, height: Math.max(0, should - at), fill: 'none', stroke: 'var(--rule-strong)', 'stroke-dasharray': '2 2' }),
        s('circle', { cx: 60, cy: should, r: 6, fill: 'var(--surface)', stroke: 'var(--ink)', 'stroke-width': 1.8 }),
        s('path', { d: `M49 ${should}h22`, stroke: 'var(--ink)', 'stroke-width': 1.8 }),
        s('text', { x: 42, y: at + 4 + apart, class: 'small', 'text-anchor': 'end', fill: 'var(--ink)', 'font-weight': 600 }, grouped(depth)),
        s('text', { x: 42, y: should + 4 - apart, class: 'small', 'text-anchor': 'end', fill: 'var(--ink-2)' }, grouped(line)),
    ];
}

/** Where it sits: depth against the line, widths to scale. */
export function schematic(audit: Audit, line: LoadLine, height = 150): SVGSVGElement | null {
    const depth = Math.max(audit.depth ?? 0, audit.decoder_depth ?? 0);
    if (!depth || !audit.width) return null;
    const rows = rowsOf(audit);
    const widest = Math.max(...rows.filter(({ cut }) => !cut).map(({ value }) => value));
    const judged = audit.findings.some(({ id }) => id === 'depth-valley'); // mixers and others have no load line
    const should = judged ? Math.round(lineDepth(line, audit.width)) : depth;
    const narrow = rows.filter((row) => row.narrow).map((row) => `${row.name} ${row.value}`);
    const label = `${depth} layers${judged ? ` where the load line has ${should}` : ''}. ${narrow.length > 0 ? `Narrow: ${narrow.join(', ')}.` : 'No width is a bottleneck.'}`;
    return s('svg', { class: 'schematic', viewBox: `0 0 424 ${height}`, role: 'img', 'aria-label': label }, ...(judged ? gauge(depth, should, height) : []), ...bars(rows, widest, height));
}

const KINDS: Record<string, string> = { 'encoder-decoder': 'Encoder and decoder', decoder: 'Decoder', encoder: 'Encoder', mixer: 'Mixer', 'state-space': 'State-space model', hybrid: 'Hybrid', mlp: 'MLP' };

function factsOf(audit: Audit): string {
    const depth = audit.decoder_depth ? `${audit.depth} + ${audit.decoder_depth} layers` : `${audit.depth ?? 'unknown'} layers`;
    const parts = [KINDS[audit.kind] ?? 'Network', depth];
    if (audit.width) parts.push(`width ${grouped(audit.width)}`);
    if (audit.heads) parts.push(`${grouped(audit.heads)} heads${audit.head_dim ? ` of ${grouped(audit.head_dim)}` : ''}`);
    if (audit.vocab) parts.push(`vocabulary ${grouped(audit.vocab)}`);
    if (audit.parameters) parts.push(`${(audit.parameters >= 1e9 ? `${Number((audit.parameters / 1e9).toPrecision(3))} B` : `${Number((audit.parameters / 1e6).toPrecision(3))} M`)} parameters`);
    return parts.join(', ');
}

const ORDER = { severe: 0, notice: 1, ok: 2, info: 3 };

/** The verdict without the marks of its sources. */
const verdictText = (audit: Audit) => spaced(audit.verdict.replace(/ \[([^\]]+)\]/g, ' ($1)'));

export const actCount = (audit: Audit) => audit.findings.filter(({ severity }) => severity === 'severe').length;

/** The whole card; in the panel everything is a little smaller. */
export function card(audit: Audit, line: LoadLine, options: { panel: boolean }): HTMLElement {
    const act = actCount(audit);
    const findings = [...audit.findings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
    const first = findings.filter(({ severity }) => severity !== 'info');
    const rest = findings.filter(({ severity }) => severity === 'info');
    const drawing = schematic(audit, line, options.panel ? 124 : 150);
    return h('article', { class: options.panel ? 'card in-panel' : 'card' },
        h('header', {}, h('p', { class: 'eyebrow' }, h('span', {}, options.panel ? 'Selected model' : 'Audit'), h('span', {}, `${act} of ${audit.findings.length} findings ${act === 1 ? 'needs' : 'need'} action`)),
            h('h2', {}, audit.name), h('p', { class: 'facts' }, factsOf(audit))),
        h('p', { class: `verdict ${act > 0 ? 'acts' : 'passes'}` }, verdictText(audit)),
        drawing && h('div', { class: 'where' }, h('p', { class: 'caption' }, h('b', {}, 'Where it sits '), 'depth against the line; widths to scale'), drawing),
        h('div', { class: 'findings' }, ...first.map((finding) => findingRow(finding, !options.panel)),
            rest.length > 0 && h('details', { class: 'more' }, h('summary', {}, `${rest.length} numbers without a judgement`), ...rest.map((finding) => findingRow(finding, false))),
            audit.assumed && audit.assumed.length > 0 && h('details', { class: 'more' }, h('summary', {}, audit.assumed.length === 1 ? 'One value was assumed' : `${audit.assumed.length} values were assumed`), h('ul', {}, ...audit.assumed.map(({ key, value, reason }) => h('li', {}, h('b', {}, `${key} = ${spaced(value)}`), `: ${reason}`)))),
            audit.not_analysed.length > 0 && h('details', { class: 'more' }, h('summary', {}, 'What was not analysed'), h('ul', {}, ...audit.not_analysed.map(({ part, reason }) => h('li', {}, `${part}: ${reason}`))))));
}

/** The same as Markdown, for issues and papers. */
export function markdown(audit: Audit): string {
    const rows = audit.findings.map((f) => `| ${f.severity} | ${f.title} | ${f.shown.replaceAll('|', '\\|')} | ${f.reading.replaceAll('|', '\\|')} | ${f.source.citation} |`);
    return [`## ${audit.name}`, '', `${factsOf(audit).replace(/\u202f/g, ' ')}.`, '', audit.verdict, '', '| | finding | value | reading | source |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n');
}
