import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { commonWords, fieldWords, parameterWords } from '../../src/contract/field-words.ts';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { tags } from '../../src/contract/openapi-text.ts';
import { fullPath } from '../../src/contract/paths.ts';
import { routes } from '../../src/contract/routes.ts';
import { at } from '../support/api-on-services.ts';

const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument()));

const Components = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });
const hasWords = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** All fields of a schema by path. Alternatives and items have the path of their parent. */
function fieldsOf(schema: unknown, prefix: string): { path: string; field: unknown }[] {
  const own = Object.entries(at(schema, 'properties') ?? {}).flatMap(([name, field]: [string, unknown]) => [
    { path: `${prefix}${name}`, field },
    ...fieldsOf(field, `${prefix}${name}.`),
  ]);
  const inner = [
    at(schema, 'items'),
    at(schema, 'additionalProperties'),
    ...list(at(schema, 'anyOf')),
    ...list(at(schema, 'oneOf')),
  ];
  return [...own, ...inner.flatMap((each) => (typeof each === 'object' ? fieldsOf(each, prefix) : []))];
}

/** A part of the document with all its references resolved. */
function withRefs(part: unknown): unknown[] {
  const all = new Map<string, unknown>();
  const add = (value: unknown) => {
    for (const [, ref = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      if (all.has(ref)) continue;
      all.set(
        ref,
        ref.split('/').reduce<unknown>((within, name) => at(within, name), document),
      );
      add(all.get(ref));
    }
  };
  add(part);
  return [part, ...all.values()];
}

describe('the description of the API', () => {
  test('openapi.json matches the route table (npm run openapi)', () => {
    expect(JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))).toEqual(
      document,
    );
  });

  test('it is OpenAPI 3.1 with interface version 1.0.0 and has every route once', () => {
    expect(document).toMatchObject({ openapi: '3.1.1', info: { version: '1.0.0' } });
    for (const route of Object.values(routes))
      expect(document).toHaveProperty(['paths', fullPath(route), route.method, 'operationId'], route.id);
    const ids = Object.values(routes).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every section has a description and at least one operation', () => {
    const used = new Set(Object.values(routes).map(({ tag }): string => tag));
    const known = new Set(tags.map(({ name }) => name));
    expect(
      [...used]
        .filter((tag) => !known.has(tag))
        .map((tag) => `describe the tag "${tag}" in src/contract/openapi-text.ts`),
    ).toEqual([]);
    expect([...known].filter((tag) => !used.has(tag))).toEqual([]);
  });

  test('the settings show the defaults and limits of contract 3.1', () => {
    const setting = (...path: (string | number)[]) => [
      'components',
      'schemas',
      'WorkflowConfigurations',
      'properties',
      ...path.map(String),
    ];
    expect(document).toHaveProperty(setting('max_call_duration', 'default'), 300);
    expect(document).toHaveProperty(setting('max_call_duration', 'anyOf', 0), {
      type: 'integer',
      exclusiveMinimum: 0,
      maximum: 1200,
    });
    expect(document).toHaveProperty(setting('turn_stop_strategy', 'default'), 'transcription');
    expect(document).toHaveProperty(setting('external_pbx_field_mappings', 'anyOf', 0, 'maxItems'), 100);
    expect(document).toHaveProperty(
      ['components', 'schemas', 'ExternalPbxFieldMapping', 'properties', 'context_path'],
      expect.objectContaining({ type: 'string', minLength: 1, maxLength: 255 }),
    );
  });

  test('path parameters are required', () => {
    for (const route of Object.values(routes)) {
      const parameters = list(at(document, 'paths', fullPath(route), route.method, 'parameters'));
      expect(parameters.filter((each) => at(each, 'in') === 'path' && at(each, 'required') !== true)).toEqual(
        [],
      );
    }
  });

  test('unknown keys of the settings and of the graph are allowed', () => {
    for (const name of ['WorkflowConfigurations', 'WorkflowDefinition', 'AmbientNoiseConfiguration']) {
      expect(document).toHaveProperty(['components', 'schemas', name, 'additionalProperties'], {});
    }
  });

  test('no answer forbids additional keys', () => {
    const answers = Object.values(at(document, 'paths') ?? {})
      .flatMap((path: object) => Object.values(path))
      .map((operation) => at(operation, 'responses'));
    expect(answers.length).toBeGreaterThan(100);
    expect(JSON.stringify(withRefs(answers))).not.toContain('"additionalProperties":false');
  });
});

describe('descriptions for clients', () => {
  const { schemas } = Components.parse(document).components;
  const fields = Object.entries(schemas).flatMap(([name, schema]) =>
    fieldsOf(schema, '').map((field) => ({ name, ...field })),
  );
  const places = new Set(fields.map(({ name, path }) => `${name}.${path}`));

  test('every field of every component has a description', () => {
    const silent = fields.filter(
      ({ field }) => at(field, '$ref') === undefined && !hasWords(at(field, 'description')),
    );
    expect(
      silent.map(
        ({ name, path }) => `describe ${path} of ${name}: in its schema, or in src/contract/field-words.ts`,
      ),
    ).toEqual([]);
    expect(
      Object.entries(schemas)
        .filter(([, schema]) => !hasWords(at(schema, 'description')))
        .map(([name]) => `describe ${name}`),
    ).toEqual([]);
  });

  test('every parameter and operation has a description', () => {
    const silent = Object.values(routes).flatMap((route) => {
      const operation = at(document, 'paths', fullPath(route), route.method);
      const parameters = list(at(operation, 'parameters')).filter(
        (each) => at(each, '$ref') === undefined && !hasWords(at(each, 'description')),
      );
      return [
        ...(hasWords(at(operation, 'summary')) && hasWords(at(operation, 'description'))
          ? []
          : [`describe ${route.id}`]),
        ...parameters.map(
          (each) =>
            `describe the parameter ${String(at(each, 'name'))} of ${route.id}: in its schema, or in src/contract/field-words.ts`,
        ),
      ];
    });
    expect(silent).toEqual([]);
  });

  test('there are no descriptions of unknown fields and parameters', () => {
    const words = Object.entries(fieldWords).flatMap(([name, each]) =>
      Object.keys(each).map((path) => `${name}.${path}`),
    );
    expect(words.filter((place) => !places.has(place))).toEqual([]);
    const names = new Set(fields.map(({ path }) => path.split('.').at(-1)));
    expect(Object.keys(commonWords).filter((name) => !names.has(name))).toEqual([]);
    const parameters = new Set(
      Object.values(routes).flatMap((route) =>
        list(at(document, 'paths', fullPath(route), route.method, 'parameters')).map((each) =>
          at(each, 'name'),
        ),
      ),
    );
    expect(Object.keys(parameterWords).filter((name) => !parameters.has(name))).toEqual([]);
  });
});
