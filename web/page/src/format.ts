// Numbers as the page writes them.

const THIN = '\u202f';

/** Thin spaces between thousands, from 1 000 up. */
export function grouped(value: number): string {
    const text = String(Math.round(value));
    return text.replace(/\B(?=(\d{3})+(?!\d))/g, THIN);
}

const UNITS: [number, string][] = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'K']];

/** Three significant figures with the unit of `units`: 11.3 B; whole numbers below 1 000 exact. */
export function human(value: number, space = ' '): string {
    for (const [unit, letter] of UNITS) {
        if (value < unit * 0.9995) continue;
        const scaled = value / unit;
        return `${Number(scaled.toPrecision(3))}${space}${letter}`;
    }
    return String(Math.round(value));
}

/** As in fields and labels: 100M. */
export function short(value: number): string {
    return human(value, '');
}

/** What people type: 100M, 1.5B, 2e8, 32 000; null when it is no number above zero. */
export function parseCount(text: string): number | null {
    const match = /^([0-9][0-9 \u202f,_]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)\s*([kmbgt]?)$/i.exec(text.trim());
    if (!match) return null;
    const factors: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 };
    const value = Number(match[1].replace(/[ \u202f,_]/g, '')) * factors[match[2].toLowerCase()];
    return Number.isFinite(value) && value >= 1 ? Math.round(value) : null;
}

/** To so many significant figures, as a plain number. */
export function significant(value: number, figures = 3): number {
    return Number(value.toPrecision(figures));
}

/** The engine's text with thin spaces between thousands. */
export function spaced(text: string): string {
    const isYear = (digits: string, before: string) => /^(19|20)\d\d$/.test(digits) && /[A-Za-z.] $/.test(before) && !/(width|context|vocabulary|of|past|rank) $/.test(before);
    return text.replace(/(?<![\w.,-])\d{4,}(?![\w-]|\.\d)/g, (digits, at: number) => (isYear(digits, text.slice(0, at)) ? digits : grouped(Number(digits))));
}

/** 24 x 1 024 with a multiplication sign. */
export function shape(layers: number, width: number): string {
    return `${grouped(layers)} × ${grouped(width)}`;
}

/** 10 to a power as people read it. */
export function power(exponent: number): string {
    return `10^${exponent.toFixed(1)}`;
}
