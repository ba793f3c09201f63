import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from '../src/contract/openapi.ts';

/** Writes openapi.json at the root from the table of routes; a test compares it. */
writeFileSync(
  new URL('../openapi.json', import.meta.url),
  `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`,
);
console.log('openapi.json written');
