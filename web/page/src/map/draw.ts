// The chart's layers. Base: water, land, lines, areas. Middle: the budget and what lies under the points. Points with
// their names. Top: what the reader points at and what is advised.

import type { Field, MapData, MapModel } from '../api';
import { human, short, shape, grouped } from '../format';
import { bestDepth, lineDepth, widthAt } from '../line';
import type { Colours } from '../theme';
import * as curves from './curves';
import type { Points } from './curves';
import { contour, fieldImage, STEP } from './field';
import { DEPTH_TICKS, DEPTH_TICKS_SMALL, WIDTH_TICKS, WIDTH_TICKS_SMALL, type Frame } from './frame';
import { overlaps, type Box, type Spot } from './labels';
import { isBottlenecked, radiusOf, type Place } from './places';

export interface Lines { threshold: boolean; levine: boolean; nanochat: boolean; knee: boolean; context: boolean; vocabulary: boolean; capacity: boolean; valley: boolean; rivals: boolean }

export interface Scene {
    frame: Frame; colours: Colours; data: MapData; field: Field | null; lines: Lines; small: boolean;
    vocab: number; context: number; budget: number;
    taken: Box[]; // where captions of the base lie, for the names of the points
}

type Canvas = CanvasRenderingContext2D;
export const CONDENSED = '"IBM Plex Sans Condensed", "Arial Narrow", sans-serif';
const SANS = '"IBM Plex Sans", system-ui, sans-serif';
const SERIF = '"IBM Plex Serif", Georgia, serif';

/** Every face that the chart writes with. */
export const CHART_FACES = [...[400, 500, 600].map((weight) => `${weight} 12px ${CONDENSED}`), `400 12px ${SANS}`, `600 14px ${SANS}`, `italic 400 23px ${SERIF}`];

export function text(c: Canvas, words: string, x: number, y: number, options: { font?: string; colour: string; halo?: string; align?: CanvasTextAlign; baseline?: CanvasTextBaseline; turn?: number; haloWidth?: number }) {
    c.save();
    c.translate(x, y);
    if (options.turn) c.rotate(options.turn);
    c.font = options.font ?? `500 12.5px ${CONDENSED}`;
    c.textAlign = options.align ?? 'left';
    c.textBaseline = options.baseline ?? 'middle';
    if (options.halo) {
        c.strokeStyle = options.halo;
        c.lineWidth = options.haloWidth ?? 3.2;
        c.lineJoin = 'round';
        c.strokeText(words, 0, 0);
    }
    c.fillStyle = options.colour;
    c.fillText(words, 0, 0);
    c.restore();
}

export function path(c: Canvas, points: Points, width: number, colour: string, dash: number[] = []) {
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    c.lineWidth = width;
    c.strokeStyle = colour;
    c.setLineDash(dash);
    c.stroke();
    c.setLineDash([]);
}

function clipped(c: Canvas, frame: Frame, draw: () => void) {
    c.save();
    c.beginPath();
    c.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    c.clip();
    draw();
    c.restore();
}

const images = new Map<string, HTMLCanvasElement>();

function drawField(c: Canvas, scene: Scene) {
    const { frame, colours, field, lines } = scene;
    const [width, height] = [frame.right - frame.left, frame.bottom - frame.top];
    if (!field || !lines.capacity) {
        c.fillStyle = colours['field-low'];
        c.fillRect(frame.left, frame.top, width, height);
        return;
    }
    const key = [field.context, Math.round(width), Math.round(height), colours['field-low']].join();
    let image = images.get(key);
    if (!image) {
        if (images.size > 8) images.clear();
        images.set(key, (image = fieldImage(field, frame, colours)));
    }
    c.drawImage(image, frame.left, frame.top, width, height);
    for (let level = 1.5; level <= 9.5; level += STEP) drawContour(c, scene, field, level);
}

function drawContour(c: Canvas, { frame, colours }: Scene, field: Field, level: number) {
    const whole = Number.isInteger(level);
    const across = frame.right - frame.left;
    const down = frame.bottom - frame.top;
    c.beginPath();
    for (const [x0, y0, x1, y1] of contour(field, level)) {
        c.moveTo(frame.left + x0 * across, frame.top + y0 * down);
        c.lineTo(frame.left + x1 * across, frame.top + y1 * down);
    }
    c.globalAlpha = whole ? 1 : 0.55;
    c.lineWidth = whole ? 0.9 : 0.45;
    c.strokeStyle = colours.contour;
    c.stroke();
    c.globalAlpha = 1;
}

// 10^3 ... 10^9 beside the shore, where each contour meets it.
function drawContourLabels(c: Canvas, scene: Scene) {
    const { frame, colours, field, vocab, small } = scene;
    if (!field || !scene.lines.capacity || small) return;
    const x = Math.min(frame.x(vocab), frame.right) - 8;
    if (x < frame.left + 80) return;
    const u = (x - frame.left) / (frame.right - frame.left);
    for (let exponent = 2; exponent <= 9; exponent++) {
        const hit = contour(field, exponent).find(([x0, , x1]) => Math.min(x0, x1) <= u && u <= Math.max(x0, x1));
        if (!hit) continue;
        const y = frame.top + ((hit[1] + hit[3]) / 2) * (frame.bottom - frame.top);
        if (y < frame.top + 12 || y > frame.bottom - 10) continue;
        const superscript = [...String(exponent)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
        scene.taken.push({ left: x - (exponent === 5 ? 80 : 24), right: x, top: y - 8, bottom: y + 8 });
        text(c, `${exponent === 5 ? 'capacity ' : ''}10${superscript}`, x, y, { font: `400 11.5px ${CONDENSED}`, colour: colours['contour-label'], halo: colours.halo, align: 'right' });
    }
}

function hatch(c: Canvas, frame: Frame, from: number, colour: string) {
    c.beginPath();
    const height = frame.bottom - frame.top;
    for (let x = from - height; x < frame.right; x += 7) {
        c.moveTo(x, frame.bottom);
        c.lineTo(x + height, frame.top);
    }
    c.lineWidth = 0.5;
    c.strokeStyle = colour;
    c.globalAlpha = 0.55;
    c.stroke();
    c.globalAlpha = 1;
}

function drawLand(c: Canvas, scene: Scene, alpha: number) {
    const { frame, colours, vocab, lines } = scene;
    const shore = Math.max(frame.x(vocab), frame.left);
    if (!lines.vocabulary || shore >= frame.right) return;
    c.save();
    c.beginPath();
    c.rect(shore, frame.top, frame.right - shore, frame.bottom - frame.top);
    c.clip();
    c.globalAlpha = alpha;
    c.fillStyle = colours.land;
    c.fillRect(shore, frame.top, frame.right - shore, frame.bottom - frame.top);
    c.globalAlpha = 1;
    if (alpha === 1) hatch(c, frame, shore, colours['land-edge']);
    c.restore();
    path(c, [[shore, frame.top], [shore, frame.bottom]], 1.4, colours['land-edge']);
}

function drawShoreCaption(c: Canvas, { frame, colours, vocab, lines, small }: Scene) {
    const shore = Math.max(frame.x(vocab), frame.left);
    const strip = frame.right - shore;
    if (!lines.vocabulary || strip < 14) return;
    const thin = strip < 0.2 * (frame.right - frame.left);
    const words = small ? `vocabulary ${grouped(vocab)}` : `vocabulary ${grouped(vocab)}: extra width is capped`;
    text(c, words, thin ? shore + strip / 2 : shore + 16, (frame.top + frame.bottom) / 2, { font: `500 ${small ? 10.5 : 12}px ${CONDENSED}`, colour: colours['land-ink'], halo: colours.land, align: 'center', turn: -Math.PI / 2 });
}

/** The angle of a line of the chart at the point nearest to x, and its y. */
function along(points: Points, x: number): { y: number; turn: number } | null {
    for (let i = 0; i + 1 < points.length; i++) {
        const [[x0, y0], [x1, y1]] = [points[i], points[i + 1]];
        if ((x0 <= x && x <= x1) || (x1 <= x && x <= x0)) {
            const t = x1 === x0 ? 0 : (x - x0) / (x1 - x0);
            return { y: y0 + t * (y1 - y0), turn: Math.atan2(y1 - y0, x1 - x0) };
        }
    }
    return null;
}

// A turned text as a row of small boxes.
function reserve(c: Canvas, scene: Scene, words: string, font: string, x: number, y: number, turn: number) {
    c.font = font;
    const half = c.measureText(words).width / 2;
    for (let at = -half; at <= half; at += 8) {
        const [bx, by] = [x + at * Math.cos(turn), y + at * Math.sin(turn)];
        scene.taken.push({ left: bx - 6, right: bx + 6, top: by - 6, bottom: by + 6 });
    }
}

function captionAlong(c: Canvas, scene: Scene, points: Points, share: number, words: string, colour: string, font: string, above = -9) {
    const { frame, colours } = scene;
    const x = frame.left + share * (frame.right - frame.left);
    const place = along(points, x);
    if (!place || place.y < frame.top + 14 || place.y > frame.bottom - 14) return;
    const turn = place.turn;
    reserve(c, scene, words, font, x - Math.sin(turn) * above, place.y + Math.cos(turn) * above, turn);
    text(c, words, x - Math.sin(turn) * above, place.y + Math.cos(turn) * above, { font, colour, halo: colours.halo, align: 'center', turn });
}

export const SIZES = [1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];

function drawEqualParameters(c: Canvas, scene: Scene) {
    const { frame, colours, budget, small } = scene;
    for (const size of SIZES) {
        if (Math.abs(Math.log(size / budget)) < 0.02) continue;
        const points = curves.equalParameters(frame, size);
        c.globalAlpha = 0.75;
        path(c, points, 0.8, colours.iso);
        c.globalAlpha = 1;
        const depth = size === 1e12 ? 112 : size === 1e11 ? 27 : 3.75;
        const [[x0, y0], [x1, y1]] = points;
        const y = frame.y(depth);
        const x = x0 + ((y - y0) / (y1 - y0)) * (x1 - x0);
        if (x < frame.left + 10 || x > frame.right - 10) continue;
        scene.taken.push({ left: x - 9, right: x + 9, top: y - 12, bottom: y + 12 });
        text(c, short(size), x, y, { font: `400 ${small ? 10 : 11.5}px ${CONDENSED}`, colour: colours['ink-3'], halo: colours.halo, align: 'center', turn: Math.atan2(y1 - y0, x1 - x0) - (y1 > y0 ? Math.PI : 0) + (x1 < x0 ? 0 : Math.PI) });
    }
}

function drawContextLine(c: Canvas, { frame, colours, context, lines, small }: Scene) {
    const x = frame.x(context / 2);
    if (!lines.context || x <= frame.left + 2 || x >= frame.right - 2) return;
    path(c, [[x, frame.top], [x, frame.bottom]], 1, colours['ink-3'], [2, 4]);
    const words = small ? `context ${grouped(context)}` : `context ${grouped(context)}: d = N/2`;
    text(c, words, x - 7, frame.bottom - 8, { font: `400 ${small ? 10 : 11.5}px ${CONDENSED}`, colour: colours['ink-3'], halo: colours.halo, turn: -Math.PI / 2 });
}

function drawRules(c: Canvas, scene: Scene) {
    const { frame, colours, data, lines, field } = scene;
    const font = `400 11.5px ${CONDENSED}`;
    const colour = colours['ink-2'];
    if (lines.threshold) {
        const points = curves.publishedThreshold(frame);
        path(c, points, 1.1, colour, [7, 4]);
        captionAlong(c, scene, points, 0.43, 'published threshold L = log₃ d', colour, font);
    }
    if (lines.knee && field) {
        const points = curves.knee(frame, field);
        path(c, points, 1.1, colour, [9, 3, 2, 3]);
        captionAlong(c, scene, points, 0.6, 'knee T: a layer more only doubles capacity', colour, font);
    }
    if (lines.levine) {
        const points = curves.levineLaw(frame, data.levine_law);
        path(c, points, 1.1, colour, [4, 3]);
        captionAlong(c, scene, points, 0.72, 'Levine’s law', colour, font);
    }
    if (lines.nanochat) {
        const points = curves.nanochat(frame);
        c.lineCap = 'round';
        path(c, points, 1.3, colour, [0.5, 3.6]);
        c.lineCap = 'butt';
        captionAlong(c, scene, points, 0.665, 'nanochat d = 64 L', colour, font, 10);
    }
}

function drawValley(c: Canvas, scene: Scene) {
    if (!scene.lines.valley) return;
    const { low, high } = curves.valleyEdges(scene.frame, scene.data);
    c.beginPath();
    [...low, ...[...high].reverse()].forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    c.fillStyle = scene.colours.good;
    c.globalAlpha = 0.085;
    c.fill();
    c.globalAlpha = 0.6;
    path(c, low, 0.8, scene.colours.good);
    path(c, high, 0.8, scene.colours.good);
    c.globalAlpha = 1;
    if (scene.small) return;
    const font = `400 11.5px ${CONDENSED}`;
    captionAlong(c, scene, low, 0.79, 'costs 1 % of loss', scene.colours.good, font, -9);
    captionAlong(c, scene, high, 0.315, 'costs 1 % of loss', scene.colours.good, font, 10);
}

// One-sided ticks on the deep side, every 16 pixels.
function drawLoadLine(c: Canvas, scene: Scene) {
    const { frame, colours, data, small } = scene;
    const points = curves.loadLine(frame, data);
    path(c, points, 2.8, colours.line);
    c.beginPath();
    let walked = 0;
    for (let i = 0; i + 1 < points.length; i++) {
        const [[x0, y0], [x1, y1]] = [points[i], points[i + 1]];
        const length = Math.hypot(x1 - x0, y1 - y0);
        for (; walked < length; walked += 16) {
            const [x, y] = [x0 + ((x1 - x0) * walked) / length, y0 + ((y1 - y0) * walked) / length];
            c.moveTo(x, y);
            c.lineTo(x - ((y1 - y0) / length) * 6, y + ((x1 - x0) / length) * 6);
        }
        walked -= length;
    }
    c.lineWidth = 1.3;
    c.strokeStyle = colours.line;
    c.stroke();
    captionAlong(c, scene, points, small ? 0.2 : 0.7, 'load line', colours.line, `600 ${small ? 12 : 14}px ${SANS}`, -11);
    if (small) return;
    const slope = Math.log(lineDepth(data.load_line, 4096) / lineDepth(data.load_line, 1024)) / Math.log(4);
    const words = `L = ${lineDepth(data.load_line, 1024).toFixed(1)} (d / 1${'\u202f'}024)^${slope.toFixed(2)}`;
    captionAlong(c, scene, points, 0.125, words, colours['ink-2'], `400 12px ${CONDENSED}`, -10);
}

function drawAreas(c: Canvas, { frame, colours, small }: Scene) {
    const names: [string, number, number][] = [['too shallow', 0.77, 0.17], ['too deep', 0.095, 0.7]];
    for (const [name, u, v] of names) {
        const x = frame.left + u * (frame.right - frame.left);
        const y = frame.top + v * (frame.bottom - frame.top);
        text(c, name, x, y, { font: `italic 400 ${small ? 15 : 23}px ${SERIF}`, colour: colours['ink-2'], halo: colours.halo, align: 'center' });
        if (!small) text(c, 'for the width', x, y + 20, { font: `400 12px ${SANS}`, colour: colours['ink-3'], halo: colours.halo, align: 'center' });
    }
}

export function drawFrame(c: Canvas, { frame, colours, small }: Scene) {
    const { left, top, right, bottom } = frame;
    const border = small ? 4 : 6;
    const widths = [...WIDTH_TICKS, 65536];
    const depths = [2, 4, 8, 16, 32, 64, 128, 256];
    const band = (x: number, y: number, w: number, h: number, dark: boolean) => {
        c.fillStyle = dark ? colours.ink : colours.surface;
        c.fillRect(x, y, w, h);
    };
    for (let i = 0; i + 1 < widths.length; i++) {
        const from = Math.max(frame.x(widths[i]), left);
        const to = Math.min(frame.x(widths[i + 1]), right);
        for (const y of [top - border, bottom]) if (to > from) band(from, y, to - from, border, i % 2 === 1);
    }
    for (let i = 0; i + 1 < depths.length; i++) {
        const from = Math.max(frame.y(depths[i]), top);
        const to = Math.min(frame.y(depths[i + 1]), bottom);
        for (const x of [left - border, right]) if (to > from) band(x, from, border, to - from, i % 2 === 1);
    }
    c.lineWidth = 1;
    c.strokeStyle = colours.ink;
    c.strokeRect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1);
    c.strokeRect(left - border - 0.5, top - border - 0.5, right - left + 2 * border + 1, bottom - top + 2 * border + 1);
    drawTicks(c, { frame, colours, small });
}

function drawTicks(c: Canvas, { frame, colours, small }: Pick<Scene, 'frame' | 'colours' | 'small'>) {
    const font = `400 ${small ? 10.5 : 12.5}px ${CONDENSED}`;
    for (const depth of small ? DEPTH_TICKS_SMALL : DEPTH_TICKS) {
        text(c, String(depth), frame.left - (small ? 8 : 12), frame.y(depth), { font, colour: colours['ink-2'], align: 'right' });
    }
    const shortWidth = (width: number) => (small && width >= 2048 ? `${width / 1024}k` : grouped(width));
    for (const width of small ? WIDTH_TICKS_SMALL : WIDTH_TICKS) {
        text(c, shortWidth(width), frame.x(width), frame.bottom + (small ? 13 : 18), { font, colour: colours['ink-2'], align: 'center' });
    }
    const bold = `600 ${small ? 11 : 12.5}px ${CONDENSED}`;
    text(c, small ? 'width' : 'width d (d_model), wider to the right', (frame.left + frame.right) / 2, frame.bottom + (small ? 27 : 35), { font: bold, colour: colours.ink, align: 'center' });
    text(c, small ? 'depth' : 'depth L (layers), deeper downward', frame.left - (small ? 31 : 41), (frame.top + frame.bottom) / 2, { font: bold, colour: colours.ink, align: 'center', turn: -Math.PI / 2 });
}

/** Steps 1 to 7: what does not move with the budget. */
export function drawBase(c: Canvas, scene: Scene) {
    const { frame } = scene;
    scene.taken = [];
    clipped(c, frame, () => {
        drawField(c, scene);
        drawLand(c, scene, 1);
        drawValley(c, scene);
        drawEqualParameters(c, scene);
        drawContextLine(c, scene);
        drawRules(c, scene);
        drawLoadLine(c, scene);
        drawLand(c, scene, 0.62);
        drawContourLabels(c, scene);
        drawShoreCaption(c, scene);
        drawAreas(c, scene);
    });
    drawFrame(c, scene);
}

/** Step 8. */
export function drawBudget(c: Canvas, scene: Scene) {
    const { frame, colours, budget, vocab, small } = scene;
    const points = curves.budgetLine(frame, budget, vocab);
    clipped(c, frame, () => {
        path(c, points, 2.2, colours.accent);
        const y = frame.bottom - (small ? 34 : 46);
        const at = points.findIndex(([, py]) => py >= y);
        if (at > 0 && points[at][0] > frame.left + 16 && points[at][0] < frame.right) {
            const [[x0, y0], [x1, y1]] = [points[at - 1], points[at]];
            const turn = Math.atan2(y0 - y1, x0 - x1);
            text(c, small ? short(budget) : 'your budget', x1 - 9, y, { font: `500 ${small ? 11.5 : 13}px ${CONDENSED}`, colour: colours.accent, halo: colours.halo, turn, align: 'center' });
        }
    });
}

/** Step 10: from a model's width to the inner width that disagrees. */
export function drawWhisker(c: Canvas, scene: Scene, model: MapModel, alpha: number) {
    const { frame, colours, small } = scene;
    const wide = model.attention !== null && model.attention > model.width * 1.01;
    const narrow = model.input_rank !== null && model.input_rank < model.width * 0.99;
    if (!wide && !narrow) return;
    const y = frame.y(model.depth);
    const inner = wide ? model.attention! : model.input_rank!;
    const end = Math.min(Math.max(frame.x(inner), frame.left), frame.right);
    c.globalAlpha = alpha;
    path(c, [[frame.x(model.width), y], [end, y]], 3, colours['warn-fill']);
    if (end > frame.left && end < frame.right) path(c, [[end, y - 7], [end, y + 7]], 3, colours['warn-fill']);
    else path(c, [[end + (wide ? -7 : 7), y - 6], [end, y], [end + (wide ? -7 : 7), y + 6]], 3, colours['warn-fill']);
    c.globalAlpha = 1;
    const ratio = wide ? inner / model.width : model.width / inner;
    const words = small ? `${wide ? 'attention' : 'enters through'} ${grouped(inner)}` : wide ? `attention ${grouped(inner)}, ${Number(ratio.toPrecision(3))} × the stream` : `enters through ${grouped(inner)} of ${grouped(model.width)}`;
    const font = `500 ${small ? 10.5 : 12.5}px ${CONDENSED}`;
    c.font = font;
    const width = c.measureText(words).width;
    const x = Math.min(Math.max(end, frame.left + width / 2 + 8), frame.right - width / 2 - 8);
    if (alpha === 1) text(c, words, x, y - 16, { font, colour: colours.warn, halo: colours.halo, align: 'center' });
}

function drawPoint(c: Canvas, { frame, colours }: Scene, place: Place, small: boolean) {
    const [x, y] = [frame.x(place.width), frame.y(place.depth)];
    const radius = radiusOf(place);
    const bad = place.models.filter(isBottlenecked).length;
    const all = bad === place.models.length;
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    c.fillStyle = all ? colours['warn-fill'] : colours['dot-fill'];
    c.fill();
    if (bad > 0 && !all) {
        c.beginPath();
        c.moveTo(x, y);
        c.arc(x, y, radius, -Math.PI / 2, -Math.PI / 2 + (2 * Math.PI * bad) / place.models.length);
        c.closePath();
        c.fillStyle = colours['warn-fill'];
        c.fill();
    }
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    c.lineWidth = 1.3;
    c.strokeStyle = all ? colours.warn : colours.dot;
    c.stroke();
    if (place.models.length >= 4 && !small) text(c, String(place.models.length), x, y + 0.5, { font: `600 10.5px ${CONDENSED}`, colour: colours.ink, align: 'center' });
}

/** Steps 11 and 14. */
export function drawPoints(c: Canvas, scene: Scene, places: Place[], spots: Map<string, Spot>, labels: Map<string, { text: string; bad: boolean }>, without: string) {
    for (const place of places) drawPoint(c, scene, place, scene.small);
    for (const [key, spot] of spots) {
        if (key === without) continue; // its name is written by the selection
        const label = labels.get(key)!;
        const colour = label.bad ? scene.colours.warn : scene.colours.ink;
        if (spot.leader) path(c, [spot.leader, [spot.x, spot.y]], 0.8, scene.colours['ink-3']);
        text(c, label.text, spot.x, spot.y, { font: labelFont(scene.small), colour, halo: scene.colours.halo, align: spot.align });
    }
}

export const labelFont = (small: boolean) => `500 ${small ? 10.5 : 12.5}px ${CONDENSED}`;

function ring(c: Canvas, x: number, y: number, radius: number, bar: number, width: number, colour: string, halo: string, fill: string) {
    for (const [lineWidth, stroke] of [[width + 4, halo], [width, colour]] as const) {
        c.lineWidth = lineWidth;
        c.strokeStyle = stroke;
        c.beginPath();
        c.arc(x, y, radius, 0, 2 * Math.PI);
        if (stroke === halo) {
            c.fillStyle = fill;
            c.globalAlpha = 0.65;
            c.fill();
            c.globalAlpha = 1;
        }
        c.stroke();
        c.beginPath();
        c.moveTo(x - bar / 2, y);
        c.lineTo(x + bar / 2, y);
        c.stroke();
    }
}

function adviceSpots(x: number, y: number, bar: number, width: number) {
    const spots: { x: number; y: number; align: CanvasTextAlign; box: Box }[] = [];
    for (const [dx, dy] of [[-1, -14], [1, -14], [-1, 14], [1, 14], [-1, 0], [1, 0], [-1, 30], [1, -30]]) {
        const at = x + dx * (bar / 2 + 8);
        const left = dx < 0 ? at - width : at;
        spots.push({ x: at, y: y + dy, align: dx < 0 ? 'right' : 'left', box: { left, right: left + width, top: y + dy - 8, bottom: y + dy + 8 } });
    }
    return spots;
}

const clashes = (box: Box, frame: Frame, busy: Box[]) => (box.left < frame.left + 2 || box.right > frame.right - 2 ? 100 : 0) + busy.filter((other) => overlaps(box, other)).length;

/** Step 13: the mark, its label where it covers least. */
export function drawAdvice(c: Canvas, scene: Scene, advice: { depth: number; width: number; words: string }, busy: Box[]) {
    const { frame, colours, small } = scene;
    const [x, y] = [frame.x(advice.width), frame.y(advice.depth)];
    const [radius, bar] = small ? [9, 31] : [11, 38.5];
    ring(c, x, y, radius, bar, 2.6, colours.accent, colours.halo, colours['dot-fill']);
    const font = `600 ${small ? 11.5 : 13.5}px ${CONDENSED}`;
    c.font = font;
    const width = c.measureText(advice.words).width;
    const best = adviceSpots(x, y, bar, width).map((spot) => ({ spot, cost: clashes(spot.box, frame, busy) })).reduce((a, b) => (b.cost < a.cost ? b : a)).spot;
    text(c, advice.words, best.x, best.y, { font, colour: colours.accent, halo: colours.halo, haloWidth: 4, align: best.align });
}

/** The shapes that the rules of others give for the budget. */
export function drawRivals(c: Canvas, { frame, colours }: Scene, rivals: { label: string; depth: number; width: number }[]) {
    for (const rival of rivals) {
        const [x, y] = [frame.x(rival.width), frame.y(rival.depth)];
        if (!frame.contains(x, y)) continue;
        c.beginPath();
        for (const [dx, dy] of [[0, -5.5], [5.5, 0], [0, 5.5], [-5.5, 0]]) c.lineTo(x + dx, y + dy);
        c.closePath();
        c.fillStyle = colours['dot-fill'];
        c.fill();
        c.lineWidth = 1.4;
        c.strokeStyle = colours.accent;
        c.stroke();
        text(c, rival.label, x + 9, y, { font: `400 11.5px ${CONDENSED}`, colour: colours.accent, halo: colours.halo });
    }
}

/** Step 12. */
export function drawSelection(c: Canvas, scene: Scene, place: { depth: number; width: number }, radius: number, name: string, warns: boolean) {
    const { frame, colours, small } = scene;
    const [x, y] = [frame.x(place.width), frame.y(place.depth)];
    const colour = warns ? colours.warn : colours.ink;
    for (const [width, stroke] of [[6.2, colours.halo], [2.2, colour]] as const) {
        c.beginPath();
        c.arc(x, y, radius + 5, 0, 2 * Math.PI);
        c.lineWidth = width;
        c.strokeStyle = stroke;
        c.stroke();
    }
    const font = `600 ${small ? 12 : 14}px ${CONDENSED}`;
    c.font = font;
    const width = c.measureText(name).width;
    const right = x + radius + 12 + width < frame.right - 4;
    const lift = small ? radius + 14 : -radius - 11; // below, where the advice has its words above
    text(c, name, right ? x + radius + 9 : x - radius - 9, y + lift, { font, colour, halo: colours.halo, haloWidth: 4, align: right ? 'left' : 'right' });
}

/** The same parameters on the load line. */
export function drawMove(c: Canvas, scene: Scene, model: { depth: number; width: number }) {
    const { frame, colours, data } = scene;
    const size = 12 * model.depth * model.width * model.width;
    const depth = Math.max(1, Math.round(bestDepth(data.load_line.constants, size)));
    const width = widthAt(size, depth);
    const [x0, y0, x1, y1] = [frame.x(model.width), frame.y(model.depth), frame.x(width), frame.y(depth)];
    const distance = Math.hypot(x1 - x0, y1 - y0);
    if (distance < 26 || !frame.contains(x1, y1)) return;
    const bow = 0.1 * (y1 > y0 ? 1 : -1);
    c.beginPath();
    c.moveTo(x0, y0);
    c.quadraticCurveTo((x0 + x1) / 2 + (y1 - y0) * bow, (y0 + y1) / 2 - (x1 - x0) * bow, x1, y1);
    c.lineWidth = 1.8;
    c.strokeStyle = colours.warn;
    c.setLineDash([5, 4]);
    c.stroke();
    c.setLineDash([]);
    ring(c, x1, y1, 7, 24, 2, colours.warn, colours.halo, colours['dot-fill']);
    text(c, `same parameters: ${shape(depth, Math.round(width / 8) * 8)}`, x1, y1 + 19, { font: `500 12.5px ${CONDENSED}`, colour: colours.warn, halo: colours.halo, align: x1 > (frame.left + frame.right) / 2 ? 'right' : 'center' });
}

export function drawCrosshair(c: Canvas, { frame, colours }: Scene, x: number, y: number, words: string) {
    c.globalAlpha = 0.7;
    path(c, [[frame.left, y], [frame.right, y]], 0.8, colours['ink-3'], [3, 3]);
    path(c, [[x, frame.top], [x, frame.bottom]], 0.8, colours['ink-3'], [3, 3]);
    c.globalAlpha = 1;
    text(c, words, frame.right - 10, frame.top + 14, { font: `500 12.5px ${CONDENSED}`, colour: colours.ink, halo: colours.halo, haloWidth: 4, align: 'right' });
}

export const sizeText = (value: number) => human(value);
