// node render.mjs < SPEC.json > FIGURE.svg
// node render.mjs FILE.json...: writes each figure beside its spec, FILE.svg; one start of node draws them all.
// What is wrong with a spec goes to stderr as "FILE: message"; exit 1 when one could not be drawn.
import { readFileSync, writeFileSync } from 'node:fs';
import { draw } from './draw.mjs';

// Draws the spec of a file (0: stdin); null and a message when that cannot be done.
async function render(file, name) {
    try {
        const { svg, warnings } = await draw(JSON.parse(readFileSync(file, 'utf8')));
        for (const warning of warnings) console.error(`${name}: warning: ${warning}`);
        return svg;
    } catch (error) {
        console.error(`${name}: ${error.message}`);
        process.exitCode = 1;
        return null;
    }
}

const files = process.argv.slice(2);
if (files.length === 0) {
    const svg = await render(0, 'stdin');
    if (svg !== null) process.stdout.write(svg);
}
for (const file of files) {
    const svg = await render(file, file);
    if (svg !== null) writeFileSync(file.replace(/\.json$/, '') + '.svg', svg);
}
