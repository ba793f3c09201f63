import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Environment } from '../../src/config/env.ts';
import { renderEnvExample } from '../../tools/env-example.ts';

test('.env.example matches the schema (node tools/env-example.ts writes it)', () => {
  expect(readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')).toBe(renderEnvExample());
});

test.each(Object.entries(Environment.shape))('%s has a description', (_, schema) => {
  expect(schema.description).toMatch(/\w/);
});
