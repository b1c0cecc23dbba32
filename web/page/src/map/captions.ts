// What is written on the chart's lines and areas. Every caption looks for a place where it covers no point, no other caption and no line of
// others; one that finds none is left out, but for the load line's name.

import { grouped, short } from '../format';
import { lineFormula } from '../line';
import * as curves from './curves';
import type { Points } from './curves';
import { CONDENSED, ruleLines, SANS, type Scene, SERIF, sizesBeside, text, type Canvas } from './draw';
import { contour } from './field';
import type { Frame } from './frame';
import { lineTouches, overlaps, type Box } from './labels';

const SUPERSCRIPTS = new Map([...'0123456789.-'].map((sign, i) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹·⁻'[i]]));

/** 0.74 as ⁰·⁷⁴. */
export const superscript = (words: string) => [...words].map((sign) => SUPERSCRIPTS.get(sign) ?? sign).join('');

/** The point of a line nearest to x, and the angle there. */
function along(points: Points, x: number): { y: number; turn: number } | null {
    for (let i = 0; i + 1 < points.length; i++) {
        const [[x0, y0], [x1, y1]] = [points[i], points[i + 1]];
        if ((x0 <= x && x <= x1) || (x1 <= x && x <= x0)) {
            const t = x1 === x0 ? 0 : (x - x0) / (x1 - x0);
            const turn = Math.atan2(y1 - y0, x1 - x0);
            return { y: y0 + t * (y1 - y0), turn: turn > Math.PI / 2 ? turn - Math.PI : turn < -Math.PI / 2 ? turn + Math.PI : turn };
        }
    }
    return null;
}

/** A turned text as a row of small boxes. */
function boxesOf(x: number, y: number, width: number, turn: number): Box[] {
    const half = 6;
    const boxes: Box[] = [];
    const pieces = Math.max(1, Math.ceil(width / 8));
    for (let i = 0; i <= pieces; i++) {
        const at = -width / 2 + (i * width) / pieces;
        const [bx, by] = [x + at * Math.cos(turn), y + at * Math.sin(turn)];
        boxes.push({ left: bx - half, right: bx + half, top: by - half, bottom: by + half });
    }
    return boxes;
}

const within = (frame: Frame, box: Box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;

class Writer {
    constructor(private readonly c: Canvas, private readonly scene: Scene, private readonly lines: Points[]) {}

    private free(boxes: Box[], own?: Points, ashore = false): boolean {
        const { frame, taken, points, avoid, vocab, lines } = this.scene;
        const shore = lines.vocabulary && !ashore ? frame.x(vocab) : frame.right;
        const right = shore > (frame.left + frame.right) / 2 ? Math.min(shore - 2, frame.right) : frame.right;
        return boxes.every((box) => within(frame, box) && box.right <= right && !taken.some((other) => overlaps(box, other)) && ![...points, ...avoid].some((other) => overlaps(box, other)))
            && !this.lines.some((line) => line !== own && boxes.some((box) => lineTouches(line, box)));
    }

    private write(words: string, place: { x: number; y: number; turn?: number }, boxes: Box[], look: { font: string; colour: string; halo?: string; align?: CanvasTextAlign }) {
        this.scene.taken.push(...boxes);
        text(this.c, words, place.x, place.y, { halo: this.scene.colours.halo, align: 'center', ...look, turn: place.turn });
    }

    /** Along a line, as near as possible to a share of the width, at the first of the distances from it that is free there. */
    along(points: Points, share: number, words: string, look: { font: string; colour: string }, distances: number[], always = false) {
        const { frame } = this.scene;
        this.c.font = look.font;
        const width = this.c.measureText(words).width;
        const placeAt = (at: number, above: number) => {
            const x = frame.left + at * (frame.right - frame.left);
            const hit = along(points, x);
            if (!hit) return null;
            const { y, turn } = hit;
            const place = { x: x - Math.sin(turn) * above, y: y + Math.cos(turn) * above, turn };
            return { place, boxes: boxesOf(place.x, place.y, width, turn) };
        };
        for (let step = 0; step <= (always ? 130 : 40); step++) for (const above of distances) {
            const found = placeAt(share + (step % 2 === 0 ? 1 : -1) * Math.ceil(step / 2) * 0.015, above);
            if (found && this.free(found.boxes, points)) return this.write(words, found.place, found.boxes, look);
        }
        const anyhow = always ? placeAt(share, distances[0]) : null;
        if (anyhow) this.write(words, anyhow.place, anyhow.boxes, look);
    }

    /** At the first of some places that is free. */
    at(words: string, places: { x: number; y: number; turn?: number; align?: CanvasTextAlign }[], look: { font: string; colour: string; halo?: string }, ashore = false): boolean {
        this.c.font = look.font;
        const width = this.c.measureText(words).width;
        for (const place of places) {
            const shift = place.align === 'right' ? -width / 2 : place.align === 'left' ? width / 2 : 0;
            const turn = place.turn ?? 0;
            const boxes = boxesOf(place.x + shift * Math.cos(turn), place.y + shift * Math.sin(turn), width, turn);
            if (!this.free(boxes, undefined, ashore)) continue;
            this.write(words, place, boxes, { ...look, align: place.align });
            return true;
        }
        return false;
    }
}

function writeAreas(c: Canvas, { frame, colours, small, taken }: Scene) {
    const names: [string, number, number][] = [['too shallow', 0.77, 0.17], ['too deep', 0.095, 0.7]];
    for (const [name, u, v] of names) {
        const font = `italic 400 ${small ? 15 : 23}px ${SERIF}`;
        c.font = font;
        const half = c.measureText(name).width / 2;
        const x = Math.max(frame.left + u * (frame.right - frame.left), frame.left + half + 6);
        const y = frame.top + v * (frame.bottom - frame.top);
        text(c, name, x, y, { font, colour: colours['ink-2'], halo: colours.halo, align: 'center' });
        if (!small) text(c, 'for the width', x, y + 20, { font: `400 12px ${SANS}`, colour: colours['ink-3'], halo: colours.halo, align: 'center' });
        taken.push({ left: x - half - 4, right: x + half + 4, top: y - (small ? 10 : 16), bottom: y + (small ? 10 : 28) });
    }
}

function writeLoadLine(writer: Writer, points: Points, { data, colours, small }: Scene) {
    writer.along(points, small ? 0.62 : 0.7, 'load line', { font: `600 ${small ? 12 : 14}px ${SANS}`, colour: colours.line }, [-11, 18], true);
    if (small) return;
    const { layers, power } = lineFormula(data.load_line);
    writer.along(points, 0.125, `L = ${layers} (d / 1${'\u202f'}024)${superscript(power)}`, { font: `400 12px ${CONDENSED}`, colour: colours['ink-2'] }, [-11, 17]);
}

function writeShore(writer: Writer, { frame, colours, vocab, patch, lines, small }: Scene) {
    const shore = Math.max(frame.x(vocab), frame.left);
    const strip = frame.right - shore;
    if (!lines.vocabulary || strip < 14) return;
    const x = strip < 0.2 * (frame.right - frame.left) ? shore + strip / 2 : shore + 16;
    const name = patch ? `patch ${patch.replaceAll('x', ' × ')}, rank ${grouped(vocab)}` : `vocabulary ${grouped(vocab)}`;
    const middle = (frame.top + frame.bottom) / 2;
    const places = [0, -40, 40, -80, 80, -120, 120, -160, 160].map((by) => ({ x, y: middle + by, turn: -Math.PI / 2 }));
    const look = { font: `500 ${small ? 10.5 : 12}px ${CONDENSED}`, colour: colours['land-ink'], halo: colours.land };
    if (small || !writer.at(`${name}: extra width is capped`, places, look, true)) writer.at(name, places, look, true);
}

// 10^3 ... 10^9 beside the shore, where each contour meets it; one of them says what they are.
function writeContours(writer: Writer, { frame, colours, field, vocab, lines, small }: Scene) {
    if (!field || !lines.capacity || small) return;
    const x = Math.min(frame.x(vocab), frame.right) - 8;
    if (x < frame.left + 80) return;
    const u = (x - frame.left) / (frame.right - frame.left);
    const look = { font: `400 11.5px ${CONDENSED}`, colour: colours['contour-label'] };
    let named = false;
    for (const exponent of [5, 6, 4, 7, 3, 8, 2, 9]) {
        const hit = contour(field, exponent).find(([x0, , x1]) => Math.min(x0, x1) <= u && u <= Math.max(x0, x1));
        if (!hit) continue;
        const place = { x, y: frame.top + ((hit[1] + hit[3]) / 2) * (frame.bottom - frame.top), align: 'right' as const };
        const power = `10${superscript(String(exponent))}`;
        if (!named && writer.at(`capacity ${power}`, [place], look)) named = true;
        else writer.at(power, [place], look);
    }
}

function writeSizes(writer: Writer, { frame, colours, budget, small }: Scene) {
    for (const size of sizesBeside(budget)) {
        const [[x0, y0], [x1, y1]] = curves.equalParameters(frame, size);
        const turn = Math.atan2(y1 - y0, x1 - x0) + Math.PI;
        const places = (size >= 1e12 ? [112, 80, 60] : size >= 1e11 ? [27, 20, 45, 70] : [3.75, 4.4, 5.2, 10, 70, 110]).map((depth) => {
            const y = frame.y(depth);
            return { x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), y, turn };
        });
        writer.at(short(size), places.filter(({ x }) => x > frame.left + 10 && x < frame.right - 10), { font: `400 ${small ? 10 : 11.5}px ${CONDENSED}`, colour: colours['ink-3'] });
    }
}

function writeContext(writer: Writer, { frame, colours, context, lines, small }: Scene) {
    const x = frame.x(context / 2);
    if (!lines.context || x <= frame.left + 14 || x >= frame.right - 14) return;
    const words = small ? `context ${grouped(context)}` : `context ${grouped(context)}: d = N/2`;
    const places = [0, 30, 60, 90, 120, 180].flatMap((up) => [-7, 8].map((aside) => ({ x: x + aside, y: frame.bottom - 8 - up, turn: -Math.PI / 2, align: 'left' as const })));
    writer.at(words, places, { font: `400 ${small ? 10 : 11.5}px ${CONDENSED}`, colour: colours['ink-3'] });
}

/** All captions; `scene.taken` has their places afterwards. */
export function drawCaptions(c: Canvas, scene: Scene) {
    const load = curves.loadLine(scene.frame, scene.data);
    const rules = ruleLines(scene);
    const writer = new Writer(c, scene, [load, curves.budgetLine(scene.frame, scene.budget, scene.vocab), ...rules.map(({ points }) => points)]);
    const { frame, colours, small, data, lines } = scene;
    scene.taken = [];
    writeAreas(c, scene);
    writeLoadLine(writer, load, scene);
    writeShore(writer, scene);
    writeContours(writer, scene);
    writeSizes(writer, scene);
    writeContext(writer, scene);
    if (small) return;
    const font = `400 11.5px ${CONDENSED}`;
    for (const { points, share, words, above } of rules) writer.along(points, share, words, { font, colour: colours['ink-2'] }, [above, -above]);
    if (!lines.valley) return;
    const { low, high } = curves.valleyEdges(frame, data);
    writer.along(low, 0.79, 'costs 1 % of loss', { font, colour: colours.good }, [-9, 10]);
    writer.along(high, 0.315, 'costs 1 % of loss', { font, colour: colours.good }, [10, -9]);
}
