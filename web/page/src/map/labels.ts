// Names that touch nothing: placed one after the other, each at the first free of sixteen spots, or left out.

export interface Box { left: number; top: number; right: number; bottom: number }
export interface Spot { text: string; x: number; y: number; align: 'left' | 'right' | 'center'; leader: [number, number] | null; box: Box }
/** A name with its shorter forms, the longest first. */
export interface Wish { key: string; names: { text: string; width: number }[]; x: number; y: number; radius: number; height: number }

export const overlaps = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const inside = (a: Box, b: Box) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;

// right, left, above, below, four diagonals.
const SIDES: [number, number][] = [[1, 0], [-1, 0], [0, -1], [0, 1], [0.8, -0.8], [0.8, 0.8], [-0.8, -0.8], [-0.8, 0.8]];

function spotAt(wish: Wish, { text, width }: Wish['names'][number], [dx, dy]: [number, number], away: number): Spot {
    const gap = wish.radius + 4 + away;
    const x = wish.x + dx * gap;
    const y = wish.y + dy * (dx === 0 ? gap + wish.height / 2 - 2 : gap);
    const align = dx > 0 ? 'left' : dx < 0 ? 'right' : 'center';
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    const box = { left: left - 2, right: left + width + 2, top: y - wish.height / 2, bottom: y + wish.height / 2 };
    const reach = wish.radius + 1;
    const leader: [number, number] | null = away > 0 ? [wish.x + dx * reach, wish.y + dy * reach] : null;
    return { text, x, y, align, leader, box };
}

/** The spots of the wishes that found one, by key: at the least of the distances that has a free one. */
export function placeLabels(wishes: Wish[], frame: Box, taken: Box[], crosses: (box: Box) => boolean, most = Infinity, distances = [0, 12, 20]): Map<string, Spot> {
    const placed = new Map<string, Spot>();
    const busy = [...taken];
    for (const wish of wishes) {
        if (placed.size >= most) break;
        const spots = wish.names.flatMap((name) => distances.flatMap((away) => SIDES.map((side) => spotAt(wish, name, side, away))));
        const free = spots.find(({ box }) => inside(box, frame) && !busy.some((other) => overlaps(box, other)) && !crosses(box));
        if (!free) continue;
        placed.set(wish.key, free);
        busy.push(free.box);
    }
    return placed;
}

/** Whether a line through the points touches the box. */
export function lineTouches(points: readonly [number, number][], box: Box): boolean {
    for (let i = 0; i + 1 < points.length; i++) {
        const [[x0, y0], [x1, y1]] = [points[i], points[i + 1]];
        if (Math.max(x0, x1) < box.left || Math.min(x0, x1) > box.right || Math.max(y0, y1) < box.top || Math.min(y0, y1) > box.bottom) continue;
        const steps = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / 4));
        for (let k = 0; k <= steps; k++) {
            const x = x0 + ((x1 - x0) * k) / steps;
            const y = y0 + ((y1 - y0) * k) / steps;
            if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return true;
        }
    }
    return false;
}
