import * as fc from 'fast-check';
import { anyBody } from './json-texts.ts';
import { fittingString, nearSchema, type Schema, type Surroundings } from './near-schema.ts';
import type { Operation, Parameter } from './operations.ts';

/** One request in its wire form. */
export interface AnyRequest {
  method: string;
  /** Path and query, with percent encoding. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | undefined;
}

export interface Credentials {
  /** A key with all scopes. */
  key: string;
  /** The token of a session. */
  session: string;
}

const integers = [
  '0',
  '1',
  '2',
  '-1',
  '+7',
  '007',
  '1.0',
  '1.5',
  '1e3',
  '0x10',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775808',
  '18446744073709551616',
  '1'.repeat(400),
  '9'.repeat(5000),
];
const oddTexts = [
  '0',
  'null',
  'undefined',
  'NaN',
  'true',
  'off',
  '__proto__',
  'constructor',
  'toString',
  '%',
  '*',
  "'",
  '"',
  '\\',
  ';',
  'a,b',
  'active,archived',
  '[]',
  '{}',
  '\u0000',
  'a\u0000b',
  '\r\nX-Injected: 1',
  '\u2028',
  '\ufeff',
  '\u202e',
  '😀',
  'é',
  '７',
  'x'.repeat(256),
  'x'.repeat(4000),
  '2026-02-30T10:00:00Z',
  '00000000-0000-0000-0000-000000000000',
];

/** Text in a path, encoded correctly or not. */
const strangeSegment = fc.oneof(
  fc.constantFrom(...integers),
  fc
    .oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }))
    .map((each) => encodeURIComponent(each)),
  fc.constantFrom(
    '%zz',
    '%',
    '%C3%28',
    '%ff',
    '%ED%A0%80',
    '%00',
    '%2F',
    '%2e%2e',
    '..;',
    '%252F',
    '%0d%0a',
    '@',
    ':',
    ';a=b',
    '$&+,=',
    '~',
  ),
);

const strangeQueryValue = fc.oneof(
  fc.constantFrom('', ...integers),
  fc
    .oneof(
      fc.constantFrom(...oddTexts),
      fc.string({ unit: 'binary', maxLength: 30 }).filter((each) => each.isWellFormed()),
    )
    .map((each) => encodeURIComponent(each)),
  fc.constantFrom('%zz', '%', '%C3%28', '%ff', '%ED%A0%80', '%00', '+', '[a]', 'a=b'),
);

/** Text that Node's client accepts. */
const isHeaderText = (text: string): boolean => /^[ -~\u0080-\u00ff]*$/.test(text);

const strangeHeaderValue = fc.oneof(
  fc.constantFrom('', '0', ' ', 'x'.repeat(300), 'x'.repeat(4000), '\u00e9\u00ff', '"', ','),
  fc.string({ maxLength: 40 }).map((each) => each.trim()),
);

/** Requests to an operation, from valid to absurd. */
export function anyRequest(
  operation: Operation,
  around: Surroundings,
  credentials: Credentials,
): fc.Arbitrary<AnyRequest> {
  return fc
    .record({
      path: anyPath(operation, around),
      query: anyQuery(operation, around),
      headers: anyHeaders(operation, credentials),
      body: bodyFor(operation, around),
      type: contentType(operation),
    })
    .map(({ path, query, headers, body, type }) => ({
      method: operation.method,
      target: query === '' ? path : `${path}?${query}`,
      headers: body === undefined || type === null ? headers : [['Content-Type', type], ...headers],
      body,
    }));
}

/** The request with the key as its only credentials. */
export const withKey = (request: AnyRequest, { key }: Credentials): AnyRequest => ({
  ...request,
  headers: [
    ['X-API-Key', key],
    ...request.headers.filter(([name]) => name !== 'X-API-Key' && name !== 'Authorization'),
  ],
});

const of = (operation: Operation, place: Parameter['in']): Parameter[] =>
  operation.parameters.filter((each) => each.in === place);

function fittingText({ name, schema }: Parameter, around: Surroundings): fc.Arbitrary<string> {
  const known = around.known(name).map(String);
  const { type, enum: values }: Schema = schema;
  const fitting = values === undefined ? fittingByType(type, schema) : fc.constantFrom(...values.map(String));
  return known.length === 0
    ? fitting
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fitting });
}

function fittingByType(type: Schema['type'], schema: Schema): fc.Arbitrary<string> {
  if (type === 'integer') return fc.nat(3).map(String);
  return type === 'boolean'
    ? fc.constantFrom('true', 'false', 'yes', '0')
    : fittingString({ ...schema, minLength: Math.max(1, schema.minLength ?? 0) });
}

function anyPath(operation: Operation, around: Surroundings): fc.Arbitrary<string> {
  const segments = of(operation, 'path').map((parameter) => {
    const fitting = fittingText(parameter, around).map((each) => encodeURIComponent(each));
    return fc
      .oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: strangeSegment })
      .map((text) => [`{${parameter.name}}`, text] as const);
  });
  return fc
    .tuple(...segments)
    .map((filled) => filled.reduce((path, [place, text]) => path.replace(place, () => text), operation.path));
}

function anyQuery(operation: Operation, around: Surroundings): fc.Arbitrary<string> {
  const declared = of(operation, 'query').map((parameter) => {
    const value = fc.oneof(
      { weight: 3, arbitrary: fittingText(parameter, around).map((each) => encodeURIComponent(each)) },
      { weight: 1, arbitrary: strangeQueryValue },
    );
    return fc.option(
      value.map((text) => `${parameter.name}=${text}`),
      { nil: '', freq: 2 },
    );
  });
  const stranger = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('limit', 'a', '__proto__', '', '%'), strangeQueryValue)
        .map(([name, value]) => `${name}=${value}`),
    },
  );
  return fc
    .tuple(...declared, stranger, stranger)
    .map((parts) => parts.filter((each) => each !== '').join('&'));
}

type Headers = AnyRequest['headers'];

function anyHeaders(operation: Operation, credentials: Credentials): fc.Arbitrary<Headers> {
  const declared = of(operation, 'header').map(({ name, schema }) => {
    if (name === 'X-API-Key') return fc.constant<Headers>([]);
    const value = fc.oneof(
      { weight: 3, arbitrary: fittingString(schema).filter(isHeaderText) },
      { weight: 1, arbitrary: strangeHeaderValue },
    );
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant<Headers>([]) },
      { weight: 1, arbitrary: value.map((each): Headers => [[name, each]]) },
    );
  });
  const strangers: fc.Arbitrary<Headers> = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Headers>([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            'X-Request-Id',
            'Accept',
            'Accept-Encoding',
            'Content-Language',
            'Cookie',
            'Forwarded',
            'If-Match',
            'If-None-Match',
            'Origin',
            'Range',
            'traceparent',
            'X-Forwarded-For',
            'X-HTTP-Method-Override',
            'X-Anything',
          ),
          strangeHeaderValue,
        )
        .map((each): Headers => [each]),
    },
  );
  return fc.tuple(anyCredentials(credentials), strangers, ...declared).map((all) => all.flat());
}

function anyCredentials({ key, session }: Credentials): fc.Arbitrary<Headers> {
  const bad = fc.oneof(
    fc.constantFrom('', 'Bearer', 'Bearer ', 'Basic YTpi', 'a.b.c', 'Bearer a.b.c', `Bearer ${key}x`),
    strangeHeaderValue,
  );
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant<Headers>([['X-API-Key', key]]) },
    { weight: 3, arbitrary: fc.constant<Headers>([['Authorization', `Bearer ${session}`]]) },
    { weight: 1, arbitrary: bad.map((each): Headers => [['X-API-Key', each]]) },
    { weight: 1, arbitrary: bad.map((each): Headers => [['Authorization', each]]) },
    { weight: 1, arbitrary: fc.constant<Headers>([]) },
  );
}

const contentType = ({ bodyType = 'application/json' }: Operation) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant<string | null>(bodyType) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<string | null>(
        null,
        'application/json; charset=utf-16',
        'application/merge-patch+json',
        'APPLICATION/JSON',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/jsonp',
        ';',
        '',
      ),
    },
  );

function bodyFor(
  { body, bodyType, method }: Operation,
  around: Surroundings,
): fc.Arbitrary<string | undefined> {
  const none = fc.constant(undefined);
  if (bodyType !== undefined && body === undefined)
    return fc.oneof({ weight: 9, arbitrary: anyBody }, { weight: 1, arbitrary: none }); // a file
  if (body === undefined)
    return fc.oneof({ weight: 9, arbitrary: none }, { weight: method === 'GET' ? 1 : 2, arbitrary: anyBody });
  return fc.oneof(
    { weight: 12, arbitrary: nearSchema(body, around) },
    { weight: 3, arbitrary: anyBody },
    { weight: 1, arbitrary: none },
  );
}
