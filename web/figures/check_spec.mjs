// node check_spec.mjs FILE.json...: is each a Vega-Lite spec by the JSON schema that vega-lite itself publishes, and do
// compilation and drawing go without a single warning? One line per file; exit 1 when one is not.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { draw } from './draw.mjs';

const require = createRequire(import.meta.url);
const Ajv = require('ajv').default;
const schema = require('vega-lite/build/vega-lite-schema.json');

const ajv = new Ajv({ strict: false, allErrors: false });
ajv.addFormat('color-hex', /^#([0-9a-f]{3}){1,2}$/i);
for (const format of ['uri', 'uri-reference']) ajv.addFormat(format, true);
const valid = ajv.compile(schema);

// The complaint that lies deepest in the spec: a union of types complains about every branch that was not meant.
function deepest(errors) {
    const depth = ({ instancePath }) => instancePath.split('/').length;
    const worst = errors.reduce((best, error) => (depth(error) > depth(best) ? error : best));
    return `${worst.instancePath || '/'}: ${worst.message} ${JSON.stringify(worst.params)}`;
}

// What is wrong with the spec, or nothing.
async function complaint(spec) {
    if (spec.$schema && !/\/vega-lite\/v5[^/]*\.json$/.test(spec.$schema)) return `$schema: not Vega-Lite 5: ${spec.$schema}`;
    if (!valid(spec)) return `schema: ${deepest(valid.errors)}`;
    const { warnings } = await draw(spec);
    return warnings.length > 0 ? `warning: ${warnings[0]}` : undefined;
}

for (const file of process.argv.slice(2)) {
    const wrong = await Promise.resolve()
        .then(() => complaint(JSON.parse(readFileSync(file, 'utf8'))))
        .catch((error) => error.message);
    console.log(`${file}: ${wrong ?? 'valid'}`);
    if (wrong !== undefined) process.exitCode = 1;
}
