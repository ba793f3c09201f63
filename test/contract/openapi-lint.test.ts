import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString, type RawUniversalConfig } from '@redocly/openapi-core';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';

const file = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** The same document as openapi.json (openapi.test.ts). */
const text = `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;

/**
 * The rules that Redocly recommends, and more. Those that are off conflict with paths of published clients or
 * with the service itself.
 */
const rules: RawUniversalConfig['rules'] = {
  'tag-description': 'error',
  'operation-tag-defined': 'error',
  'operation-description': 'error',
  'no-required-schema-properties-undefined': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-unused-components': 'error',
  'no-http-verbs-in-paths': 'off', // paths of published clients
  'no-ambiguous-paths': 'off',
  'no-path-trailing-slash': 'off',
  'no-server-example.com': 'off', // each installation has its own URL; the file has that of npm start
  'operation-2xx-response': 'off', // one operation answers with a redirect
  'operation-4xx-response': 'off', // probes and the description itself need no 4xx
};

async function faultsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source, absoluteRef: file, config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

// guarantee: description-passes-linter
test('openapi.json is valid OpenAPI 3.1 without linter findings, and its examples match their schemas', async () => {
  expect(await faultsOf(text)).toEqual([]);
});

test('the linter finds faults', async () => {
  const broken = text
    .replace('"#/components/schemas/Workflow"', '"#/components/schemas/NoSuch"')
    .replace('"operationId"', '"operationID"');
  const faults = (await faultsOf(broken)).join('\n');
  expect(faults).toContain('no-unresolved-refs');
  expect(faults).toContain('operationID');
});
