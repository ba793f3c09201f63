import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { fullPath } from '../../src/contract/paths.ts';
import { routes } from '../../src/contract/routes.ts';

const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument()));

describe('the description of the API', () => {
  test('openapi.json is what the table of routes says (npm run openapi)', () => {
    expect(JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))).toEqual(document);
  });

  test('it is OpenAPI 3.1 of interface version 1.0.0 and holds every route once', () => {
    expect(document).toMatchObject({ openapi: '3.1.1', info: { version: '1.0.0' } });
    for (const route of Object.values(routes)) expect(document).toHaveProperty(['paths', fullPath(route), route.method, 'operationId'], route.id);
    const ids = Object.values(routes).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the settings show the defaults and limits of the interface document', () => {
    const setting = (...path: (string | number)[]) => ['components', 'schemas', 'WorkflowConfigurations', 'properties', ...path.map(String)];
    expect(document).toHaveProperty(setting('max_call_duration', 'default'), 300);
    expect(document).toHaveProperty(setting('max_call_duration', 'anyOf', 0), { type: 'integer', exclusiveMinimum: 0, maximum: 1200 });
    expect(document).toHaveProperty(setting('turn_stop_strategy', 'default'), 'transcription');
    expect(document).toHaveProperty(setting('external_pbx_field_mappings', 'anyOf', 0, 'maxItems'), 100);
    expect(document).toHaveProperty(['components', 'schemas', 'ExternalPbxFieldMapping', 'properties', 'context_path'], { type: 'string', minLength: 1, maxLength: 255 });
  });

  test('unknown keys of the settings and of the graph are allowed', () => {
    for (const name of ['WorkflowConfigurations', 'WorkflowDefinition', 'AmbientNoiseConfiguration']) {
      expect(document).toHaveProperty(['components', 'schemas', name, 'additionalProperties'], {});
    }
  });

  test('no answer forbids keys that a later version may add', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });
});
