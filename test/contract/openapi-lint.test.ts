import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString, type RawUniversalConfig } from '@redocly/openapi-core';

const file = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** All that Redocly recommends and more; what is off is fixed by the interface document or by what the service is. */
const rules: RawUniversalConfig['rules'] = {
  'tag-description': 'error',
  'operation-tag-defined': 'error',
  'operation-description': 'error',
  'no-required-schema-properties-undefined': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-unused-components': 'error',
  'no-http-verbs-in-paths': 'off', // paths are the interface document's
  'no-ambiguous-paths': 'off',
  'no-path-trailing-slash': 'off',
  'no-server-example.com': 'off', // whoever installs the service has their own address; the file names the one of npm start
  'operation-2xx-response': 'off', // one operation answers with a redirect
  'operation-4xx-response': 'off', // probes and the description itself refuse nobody
};

async function faultsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source, absoluteRef: file, config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
}

test('openapi.json is valid OpenAPI 3.1, and a linter finds nothing to mend, examples against their schemas included', async () => {
  expect(await faultsOf(readFileSync(file, 'utf8'))).toEqual([]);
});

test('the linter would find what is wrong', async () => {
  const broken = readFileSync(file, 'utf8').replace('"#/components/schemas/Workflow"', '"#/components/schemas/NoSuch"').replace('"operationId"', '"operationID"');
  const faults = (await faultsOf(broken)).join('\n');
  expect(faults).toContain('no-unresolved-refs');
  expect(faults).toContain('operationID');
});
