import * as fc from 'fast-check';

/**
 * JSON as text, because clients can send JSON without a JavaScript value: numbers beyond doubles, duplicate
 * keys, lone surrogates, and invalid JSON.
 */
export type JsonText = string;

const repeated = (opening: string, closing: string, levels: number): JsonText =>
  `${opening.repeat(levels)}0${closing.repeat(levels)}`;

const numbers: JsonText[] = [
  '0',
  '-0',
  '-0.0',
  '1',
  '-1',
  '1.5',
  '10.0',
  '1E2',
  '5e-324',
  '1e308',
  '1e400',
  '-1e400',
  '1e-400',
  '0.1e1',
  '255',
  '65536',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '123456789012345678901234567890',
];

const strings: JsonText[] = [
  '',
  ' ',
  '\u00a0',
  '0',
  '600',
  ' 12 ',
  '1.0',
  '1e5',
  '-1',
  '9223372036854775808',
  'true',
  'no',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  '[object Object]',
  "'; DROP TABLE calls; -- ",
  '%',
  '_',
  '\\',
  '{{first_name}}',
  '{{ a | default }}',
  '{{',
  '{{#each x}}',
  '${7*7}',
  '../../etc/passwd',
  'C:\\nul',
  '<script>alert(1)</script>',
  '\r\nX-Injected: 1',
  '=1+1',
  'http://169.254.169.254/latest',
  'file:///etc/passwd',
  'javascript:0',
  '//',
  'http://[::1',
  '2026-02-30T10:00:00Z',
  '2026-11-21T10:00:00Z',
  '9999-12-31T23:59:59Z',
  '00000000-0000-0000-0000-000000000000',
  '+491511234567',
  'a@example.com',
  'Europe/Berlin',
  '\u2028',
  '\u202e',
  '\ufeff',
  'é',
  'e\u0301',
  '😀',
  '👩‍👩‍👧‍👦',
  'ß',
  'İ',
  '\u0000',
  'a\u0000b',
  '\u0007',
  '\u007f',
  '\uffff',
  'x'.repeat(256),
  '😀'.repeat(256),
  'x'.repeat(70_000),
  ' '.repeat(1000),
].map((each) => JSON.stringify(each));

/** Lone surrogates: JSON has them as escapes, UTF-8 does not. */
const surrogates: JsonText[] = ['"\\ud800"', '"a\\udfffb"', '"\\ude00\\ud83d"'];

const objects: JsonText[] = [
  '{}',
  '{"":0}',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2,"hasOwnProperty":3}',
  '{"toJSON":1}',
  '{"then":1}',
  '{"length":-1}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '{"$ref":"#"}',
  '{"$ne":null}',
  `{"${'k'.repeat(5000)}":1}`,
  repeated('{"a":', '}', 20),
  repeated('{"a":', '}', 499),
  repeated('{"a":', '}', 600),
];

const arrays: JsonText[] = [
  '[]',
  '[null]',
  '[[]]',
  '[1,"a",{}]',
  `[${'0,'.repeat(2000)}0]`,
  repeated('[', ']', 20),
  repeated('[', ']', 499),
  repeated('[', ']', 3000),
];

/** Text that no parser accepts. */
const broken: JsonText[] = [
  '',
  ' ',
  '{',
  '}',
  '[1,',
  '{"a"',
  '{"a":}',
  "{'a':1}",
  '{a:1}',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  'Infinity',
  'nul',
  '"',
  '"\\x"',
  '"\u0001"',
  '{}{}',
  '// {}',
  '\ufeff{}',
  'a=1&b=2',
  '<a/>',
  '--b\r\n\r\n',
];

const key = fc
  .oneof(
    fc.constantFrom('a', 'id', 'name', 'type', '__proto__', 'constructor', 'toString', ''),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  .map((each) => JSON.stringify(each));

/** Any JSON, including JSON that is hard to store. */
export const anyJson: fc.Arbitrary<JsonText> = fc.letrec<{ value: JsonText }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', ...numbers),
    fc.oneof(
      fc.constantFrom(...strings, ...surrogates),
      fc.string({ unit: 'binary', maxLength: 20 }).map((each) => JSON.stringify(each)),
    ),
    fc.constantFrom(...objects, ...arrays),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map(objectText),
  ),
})).value;

export const anyBody: fc.Arbitrary<JsonText> = fc.oneof(
  { weight: 5, arbitrary: anyJson },
  { weight: 1, arbitrary: fc.constantFrom(...broken) },
);

function objectText(entries: (readonly [key: JsonText, value: JsonText])[]): JsonText {
  return `{${entries.map(([name, value]) => `${name}:${value}`).join(',')}}`;
}

/** `valid`, or occasionally something else. */
export const orElse = (valid: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> =>
  fc.oneof({ weight: 15, arbitrary: valid }, { weight: 1, arbitrary: anyJson });

/** An object with these properties, occasionally with one missing, duplicated or unknown. */
export function nearObject(
  properties: (readonly [name: string, value: fc.Arbitrary<JsonText>])[],
  isRequired: (name: string) => boolean,
): fc.Arbitrary<JsonText> {
  const entry = ([name, value]: (typeof properties)[number]) => {
    const pair = value.map((text): [JsonText, JsonText][] => [[JSON.stringify(name), text]]);
    const none = fc.constant<[JsonText, JsonText][]>([]);
    const twice = fc.tuple(anyJson, value).map(([other, text]): [JsonText, JsonText][] => [
      [JSON.stringify(name), other],
      [JSON.stringify(name), text],
    ]);
    return fc.oneof(
      { weight: isRequired(name) ? 30 : 10, arbitrary: pair },
      { weight: isRequired(name) ? 1 : 10, arbitrary: none },
      { weight: 1, arbitrary: twice },
    );
  };
  const stranger = fc.oneof(
    { weight: 9, arbitrary: fc.constant<[JsonText, JsonText][]>([]) },
    { weight: 1, arbitrary: fc.tuple(key, anyJson).map((each) => [each]) },
  );
  return fc.tuple(...properties.map(entry), stranger).map((entries) => objectText(entries.flat()));
}

/** A JSON value, occasionally with something else in one place. */
export function nearValue(value: unknown): fc.Arbitrary<JsonText> {
  if (Array.isArray(value))
    return orElse(fc.tuple(...value.map(nearValue)).map((items) => `[${items.join(',')}]`));
  if (typeof value !== 'object' || value === null) return orElse(fc.constant(JSON.stringify(value)));
  return orElse(
    nearObject(
      Object.entries(value).map(([name, each]) => [name, nearValue(each)]),
      () => true,
    ),
  );
}
