import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from '../src/contract/openapi.ts';

/** Writes openapi.json on one line from the route table; a test compares it. */
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(createOpenApiDocument())}\n`);
console.log('openapi.json written');
