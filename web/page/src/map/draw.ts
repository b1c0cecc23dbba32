// The chart's lower layers: water, land, lines, captions, then the points with their names. overlays.ts has what lies over them.

import type { Field, MapData } from '../api';
import { grouped } from '../format';
import type { Colours } from '../theme';
import { drawCaptions } from './captions';
import * as curves from './curves';
import type { Points } from './curves';
import { contour, fieldImage, STEP } from './field';
import { DEPTH_TICKS, DEPTH_TICKS_SMALL, WIDTH_TICKS, WIDTH_TICKS_SMALL, type Frame } from './frame';
import { overlaps, type Box, type Spot } from './labels';
import { isBottlenecked, radiusOf, type Place } from './places';

export interface Lines { threshold: boolean; levine: boolean; kaplan: boolean; nanochat: boolean; knee: boolean; context: boolean; vocabulary: boolean; capacity: boolean; valley: boolean; rivals: boolean }

export interface Scene {
    frame: Frame; colours: Colours; data: MapData; field: Field | null; lines: Lines; small: boolean;
    vocab: number; patch: string; context: number; budget: number; // of a patch `vocab` is the rank
    points: Box[]; // where the points lie
    avoid: Box[]; // the handle and the mark where they rest, for the captions
    taken: Box[]; // where captions lie, for the names of the points
}

export type Canvas = CanvasRenderingContext2D;
export const CONDENSED = '"IBM Plex Sans Condensed", "Arial Narrow", sans-serif';
export const SANS = '"IBM Plex Sans", system-ui, sans-serif';
export const SERIF = '"IBM Plex Serif", Georgia, serif';

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

export function clipped(c: Canvas, frame: Frame, draw: () => void) {
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

export const SIZES = [1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];

/** The sizes whose line is drawn: not the budget's own. */
export const sizesBeside = (budget: number) => SIZES.filter((size) => Math.abs(Math.log(size / budget)) >= 0.02);

function drawEqualParameters(c: Canvas, { frame, colours, budget }: Scene) {
    c.globalAlpha = 0.75;
    for (const size of sizesBeside(budget)) path(c, curves.equalParameters(frame, size), 0.8, colours.iso);
    c.globalAlpha = 1;
}

function drawContextLine(c: Canvas, { frame, colours, context, lines }: Scene) {
    const x = frame.x(context / 2);
    if (lines.context && x > frame.left + 2 && x < frame.right - 2) path(c, [[x, frame.top], [x, frame.bottom]], 1, colours['ink-3'], [2, 4]);
}

/** The rules of others that are shown, with what is written on each. */
export function ruleLines({ frame, data, lines, field }: Scene): { points: Points; words: string; share: number; above: number; width: number; dash: number[] }[] {
    return [
        ...(lines.threshold ? [{ points: curves.publishedThreshold(frame), words: 'published threshold L = log₃ d', share: 0.43, above: -9, width: 1.1, dash: [7, 4] }] : []),
        ...(lines.knee && field ? [{ points: curves.knee(frame, field), words: 'knee T: a layer more only doubles capacity', share: 0.6, above: -9, width: 1.1, dash: [9, 3, 2, 3] }] : []),
        ...(lines.levine ? [{ points: curves.levineLaw(frame, data.levine_law), words: 'Levine’s law', share: 0.72, above: -9, width: 1.1, dash: [4, 3] }] : []),
        ...(lines.kaplan ? [{ points: curves.kaplan(frame, data.kaplan), words: 'Kaplan’s best aspect', share: 0.36, above: -9, width: 1.1, dash: [1, 2.5] }] : []),
        ...(lines.nanochat ? [{ points: curves.nanochat(frame), words: 'nanochat d = 64 L', share: 0.665, above: 10, width: 1.3, dash: [0.5, 3.6] }] : []),
    ];
}

function drawRules(c: Canvas, scene: Scene) {
    for (const { points, width, dash } of ruleLines(scene)) {
        c.lineCap = dash[0] < 1 ? 'round' : 'butt';
        path(c, points, width, scene.colours['ink-2'], dash);
    }
    c.lineCap = 'butt';
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
}

// One-sided ticks on the deep side, every 16 pixels.
function drawLoadLine(c: Canvas, scene: Scene) {
    const { frame, colours, data } = scene;
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
    clipped(c, frame, () => {
        drawField(c, scene);
        drawLand(c, scene, 1);
        drawValley(c, scene);
        drawEqualParameters(c, scene);
        drawContextLine(c, scene);
        drawRules(c, scene);
        drawLoadLine(c, scene);
        drawLand(c, scene, 0.62);
        drawCaptions(c, scene);
    });
    drawFrame(c, scene);
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

/** The points and their names, without those that something laid over the chart would cover. */
export function drawPoints(c: Canvas, scene: Scene, places: Place[], spots: Map<string, Spot>, bad: Set<string>, without: string, covered: Box[]) {
    for (const place of places) drawPoint(c, scene, place, scene.small);
    for (const [key, spot] of spots) {
        if (key === without || covered.some((box) => overlaps(box, spot.box))) continue; // the selection writes its own name
        const colour = bad.has(key) ? scene.colours.warn : scene.colours.ink;
        if (spot.leader) path(c, [spot.leader, [spot.x, spot.y]], 0.8, scene.colours['ink-3']);
        text(c, spot.text, spot.x, spot.y, { font: labelFont(scene.small), colour, halo: scene.colours.halo, align: spot.align });
    }
}

export const labelFont = (small: boolean) => `500 ${small ? 10.5 : 12.5}px ${CONDENSED}`;

