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
  test.each(names)('%s has an example with an answer', (name) => {
    const route: Route = routes[name];
    expect(
      examples[name] === undefined
        ? `${name} has no example: add it to src/contract/examples.ts, at its place in the order`
        : 'described',
    ).toBe('described');
    expect(
      route.body !== undefined && examples[name]?.request === undefined
        ? `the example of ${name} has no request`
        : 'described',
    ).toBe('described');
    expect(
      answers[name]?.answer === undefined && !files.has(name) && !alwaysRefused.has(name)
        ? `the example of ${name} has no answer: npm run examples, then npm run openapi`
        : 'described',
    ).toBe('described');
  });

  test.each(names)('the recorded answers of %s match its schemas', (name) => {
    const all = answersOf(routes[name]);
    for (const [status, answer] of [
      ['200', answers[name]?.answer] as const,
      ...Object.entries(answers[name]?.refusals ?? {}),
    ]) {
      if (answer === undefined || all[status]?.schema === undefined) continue;
      expect({ status, fault: all[status].schema.safeParse(answer).error?.message }).toEqual({
        status,
        fault: undefined,
      });
    }
  });

  test('there are no recorded answers of unknown operations', () => {
    expect(Object.keys(answers).filter((name) => !Object.hasOwn(routes, name))).toEqual([]);
  });
});

describe.each(withBody)('the body of $name', ({ name, body }) => {
  const required = at(
    at(
      document,
      'components',
      'schemas',
      String(at(bodyOf(name), 'schema', '$ref'))
        .split('/')
        .at(-1) ?? '',
    ),
    'required',
  );

  test.each(bodiesOf(name).map((request) => [resolved(request, answers)]))(
    'is accepted as in the example (%j)',
    (request) => {
      expect(body.safeParse(request).error?.issues).toBeUndefined();
    },
  );

  test('needs exactly the fields that the description calls required', () => {
    const [request] = bodiesOf(name);
    const whole = Object.entries(resolved(request, answers) ?? {});
    for (const [field] of whole) {
      const rest: unknown = Object.fromEntries(whole.filter(([key]) => key !== field));
      const isRequired = Array.isArray(required) && required.includes(field);
      expect({ field, isRequired: !body.safeParse(rest).success }).toEqual({ field, isRequired });
    }
  });
});
