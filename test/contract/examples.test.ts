import { describe, expect, test } from '@jest/globals';
import { answersOf } from '../../src/contract/answers.ts';
import { readExampleAnswers } from '../../src/contract/example-answers.ts';
import { resolved } from '../../src/contract/example.ts';
import { examples } from '../../src/contract/examples.ts';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { fullPath } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { at } from '../support/api-on-services.ts';

const names = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(routes, name));
const answers = readExampleAnswers();
const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument()));
/** Documents cannot be added yet. */
const alwaysRefused = new Set<RouteName>([
  'presignDocument',
  'processDocument',
  'getDocument',
  'deleteDocument',
]);
const files = new Set<RouteName>(['getReference', 'getReferenceAsset', 'downloadArtifact', 'sampleVoice']);

/** The request bodies in the example of an operation. */
const bodiesOf = (name: RouteName) =>
  [examples[name]?.request, ...Object.values(examples[name]?.otherRequests ?? {})].filter(
    (body) => body !== undefined,
  );
const withBody = names.flatMap((name) => {
  const { body }: Route = routes[name];
  return body === undefined ? [] : [{ name, body }];
});
const bodyOf = (name: RouteName) =>
  at(
    document,
    'paths',
    fullPath(routes[name]),
    routes[name].method,
    'requestBody',
    'content',
    'application/json',
  );

describe('every operation has an example', () => {
  test('with a request where it takes a body, and with an answer', () => {
    const faults = names.flatMap((name) => {
      const route: Route = routes[name];
      if (examples[name] === undefined)
        return [`${name} has no example: add it to src/contract/examples.ts, at its place in the order`];
      if (route.body !== undefined && examples[name].request === undefined)
        return [`the example of ${name} has no request`];
      if (answers[name]?.answer === undefined && !files.has(name) && !alwaysRefused.has(name))
        return [`the example of ${name} has no answer: npm run examples, then npm run openapi`];
      return [];
    });
    expect(faults).toEqual([]);
  });

  test('whose recorded answers match its schemas', () => {
    const faults = names.flatMap((name) => {
      const schemas = answersOf(routes[name]);
      return [
        ['200', answers[name]?.answer] as const,
        ...Object.entries(answers[name]?.refusals ?? {}),
      ].flatMap(([status, answer]) => {
        if (answer === undefined) return [];
        const fault = schemas[status]?.schema?.safeParse(answer).error?.message;
        return fault === undefined ? [] : [`${name} ${status}: ${fault}`];
      });
    });
    expect(faults).toEqual([]);
  });

  test('there are no recorded answers of unknown operations', () => {
    expect(Object.keys(answers).filter((name) => !Object.hasOwn(routes, name))).toEqual([]);
  });
});

describe('each body', () => {
  test('is accepted as in its examples', () => {
    const refused = withBody.flatMap(({ name, body }) =>
      bodiesOf(name).flatMap((request) => {
        const { error } = body.safeParse(resolved(request, answers));
        return error === undefined ? [] : [{ name, request, issues: error.issues }];
      }),
    );
    expect(refused).toEqual([]);
    expect(withBody.length).toBeGreaterThan(50);
  });

  test('needs exactly the fields that the description calls required', () => {
    const needed: Record<string, boolean> = {};
    const described: Record<string, boolean> = {};
    for (const { name, body } of withBody) {
      const schema =
        String(at(bodyOf(name), 'schema', '$ref'))
          .split('/')
          .at(-1) ?? '';
      const required = at(document, 'components', 'schemas', schema, 'required');
      const whole = Object.entries(resolved(bodiesOf(name)[0], answers) ?? {});
      for (const [field] of whole) {
        const rest: unknown = Object.fromEntries(whole.filter(([key]) => key !== field));
        needed[`${name}.${field}`] = !body.safeParse(rest).success;
        described[`${name}.${field}`] = Array.isArray(required) && required.includes(field);
      }
    }
    expect(needed).toEqual(described);
  });
});
