import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseTemplate } from '../../../src/domain/template/parse.ts';
import {
  payloadVariables,
  promptVariables,
  renderPayload,
  renderSystemPrompt,
  renderTemplate,
  type Variables,
} from '../../../src/domain/rendering/render.ts';

const now = new Date('2026-11-20T10:13:04Z');

function rendered(template: string, initialContext: Variables = {}): string {
  return renderTemplate(template, { variables: promptVariables(initialContext), now });
}

function parsed(json: string): Variables {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const person = {
  name: 'Ada',
  'first-name': 'A',
  n1: 7,
  customer: { address: { city: 'Riga' }, tags: ['a', 'b'] },
  nothing: null,
  empty: '',
  zero: 0,
  no: false,
};

describe('grammar (contract 7.1)', () => {
  test.each<[row: string, template: string, expected: string]>([
    ['placeholder', 'Hi {{name}}!', 'Hi Ada!'],
    ['spaces around the name', '{{  name  }}', 'Ada'],
    ['line breaks around the name', '{{\n\tname\r\n}}', 'Ada'],
    ['name with a hyphen', '{{first-name}}', 'A'],
    ['name with a digit', '{{n1}}', '7'],
    ['name is case-sensitive', '[{{Name}}]', '[]'],
    ['a name with a space inside is not a placeholder', '{{first name}}', '{{first name}}'],
    [
      'a name with a space inside and a default is not a placeholder',
      '{{first name | x}}',
      '{{first name | x}}',
    ],
    ['dots lead into objects', '{{customer.address.city}}', 'Riga'],
    ['array positions are not addressable', '[{{customer.tags.0}}]', '[]'],
    ['array length is not addressable', '[{{customer.tags.length}}]', '[]'],
    ['characters of a text are not addressable', '[{{name.0}}{{name.length}}]', '[]'],
    ['dots past a value', '[{{name.x}}{{nothing.x}}]', '[]'],
    ['prefix is optional', '{{initial_context.customer.address.city}}', 'Riga'],
    ['default of an absent value', '{{who | a friend}}', 'a friend'],
    ['default without spaces', '{{who|friend}}', 'friend'],
    ['default is trimmed', '[{{who |   a friend   }}]', '[a friend]'],
    ['default with a bar, percent sign and quotes', '{{who | a|b 5% "c" \'d\'}}', 'a|b 5% "c" \'d\''],
    ['default with an opening brace', '{{who | a{b}}', 'a{b'],
    ['default over several lines', '{{who | a\nb}}', 'a\nb'],
    ['a closing brace ends the default, so it is not a placeholder', '{{who | a}b}}', '{{who | a}b}}'],
    ['default of null', '{{nothing | d}}', 'd'],
    ['default of an empty text', '{{empty | d}}', 'd'],
    ['0 is a value', '{{zero | d}}', '0'],
    ['false is a value', '{{no | d}}', 'false'],
    ['a present value ignores the default', '{{name | d}}', 'Ada'],
    ['a colon in the default stays', '{{who | a:b}}', 'a:b'],
    ['an address as the default stays', '{{who | http://x.test/?a=1}}', 'http://x.test/?a=1'],
    ['the word fallback alone is an ordinary default', '{{user_name | fallback}}', 'fallback'],
    ['the prefix fallback: of old graphs is dropped', '{{user_name | fallback:Zed}}', 'Zed'],
    ['the prefix fallback: may be followed by a space', '{{user_name | fallback: Zed}}', 'Zed'],
    ['the prefix fallback: keeps later colons', '{{user_name | fallback:a:b}}', 'a:b'],
    ['empty default without a space', '[{{who|}}]', '[]'],
    ['empty default with a space', '[{{who | }}]', '[]'],
    ['broken braces: one', '{name} }} {{', '{name} }} {{'],
    ['broken braces: not closed', 'a {{name b', 'a {{name b'],
    ['broken braces: half closed', '{{name} x', '{{name} x'],
    ['broken braces before a valid placeholder', '{{a b {{name}}', '{{a b Ada'],
    ['a brace is a character of a name', '[{{{name}}}]', '[}]'],
    ['a brace before a placeholder that begins with a space', '{{{ name}}', '{Ada'],
    ['empty braces', '{{}} {{ }}', '{{}} {{ }}'],
    ['a default without a name', '{{ | x}}', '{{ | x}}'],
    ['backslash and n', String.raw`a\nb {{who | c\nd}}`, 'a\nb c\nd'],
    ['two side by side', '{{name}}{{n1}}', 'Ada7'],
  ])('%s', (_row, template, expected) => {
    expect(rendered(template, person)).toBe(expected);
  });

  // guarantee: empty-variable-gets-default
  test('without a value and a default, a placeholder is empty', () => {
    expect(rendered('[{{who}}]', person)).toBe('[]');
  });

  // guarantee: value-not-rendered-as-template
  test('a value that looks like a placeholder is not rendered again', () => {
    expect(rendered('{{a}}', { a: '{{b}}', b: 'secret' })).toBe('{{b}}');
    expect(rendered('{{{{a}}}}', { a: 'b', b: 'secret' })).not.toContain('secret');
  });

  test('a backslash and n inside a value stays as it is', () => {
    expect(rendered('{{a}}', { a: String.raw`C:\new` })).toBe(String.raw`C:\new`);
  });

  test('finds a directory column whose name contains a dot', () => {
    expect(rendered('{{Cust.Name}} {{initial_context.Cust.Name}}', { 'Cust.Name': 'Ada' })).toBe('Ada Ada');
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'constructor.name',
    '__proto__.x',
    'a.constructor',
    'hasOwnProperty',
    'initial_context.constructor',
  ])('%s never finds inherited keys', (name) => {
    expect(rendered(`[{{${name}}}]`, { a: {} })).toBe('[]');
  });

  test('finds own keys called __proto__ and constructor', () => {
    expect(
      rendered(
        '{{__proto__}} {{constructor}} {{a.__proto__}}',
        parsed('{"__proto__":"p","constructor":"c","a":{"__proto__":"q"}}'),
      ),
    ).toBe('p c q');
  });
});

describe('values (contract 7.2)', () => {
  test.each<[row: string, value: unknown, expected: string]>([
    ['string', 'é "x"', 'é "x"'],
    ['integer', 42, '42'],
    ['other number', 0.1, '0.1'],
    ['whole decimal', JSON.parse('1.0'), '1'],
    ['large number', 1e21, '1e+21'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['null', null, ''],
    ['object', { a: 1, b: 'é', c: null }, '{"a": 1, "b": "é", "c": null}'],
    ['array', ['x', 1, [true]], '["x", 1, [true]]'],
    ['object with commas and colons in its texts', { 'a,b': 'c:d, e' }, '{"a,b": "c:d, e"}'],
    ['empty object', {}, '{}'],
    ['lone surrogate in a text', '\ud83d', '\ud83d'],
  ])('%s', (_row, value, expected) => {
    expect(rendered('{{v}}', { v: value })).toBe(expected);
  });

  test('renders every text of a payload, keys included, and keeps other values', () => {
    const template = {
      '{{k}}': '{{n}}',
      list: ['{{n}}', 1, null, true],
      deep: { 'a b': 'x{{n}}' },
      lone: '{{yes}}',
    };
    expect(renderPayload(template, { variables: { k: 'key', n: 5, yes: true }, now })).toEqual({
      key: '5',
      list: ['5', 1, null, true],
      deep: { 'a b': 'x5' },
      lone: 'true',
    });
  });

  test('a payload key called __proto__ stays a key', () => {
    const payload = renderPayload(JSON.parse('{"__proto__":"{{n}}"}'), { variables: { n: 1 }, now });
    expect(JSON.stringify(payload)).toBe('{"__proto__":"1"}');
  });
});

describe('time variables (contract 7.3)', () => {
  test.each<[row: string, template: string, expected: string]>([
    ['current_time is UTC', '{{current_time}}', '2026-11-20 10:13:04 UTC'],
    ['current_weekday', '{{current_weekday}}', 'Friday'],
    ['a zone with an abbreviation', '{{current_time_Asia/Kolkata}}', '2026-11-20 15:43:04 IST'],
    ['weekday of a zone', '{{current_weekday_Asia/Tokyo}}', 'Friday'],
    ['a zone with a different weekday', '{{current_weekday_Pacific/Kiritimati}}', 'Saturday'],
    ['a zone without an abbreviation', '{{current_time_Asia/Dubai}}', '2026-11-20 14:13:04 +04'],
    ['a zone without an abbreviation, west', '{{current_time_America/Sao_Paulo}}', '2026-11-20 07:13:04 -03'],
    ['an abbreviation as the zone', '{{current_time_EST}}', '2026-11-20 05:13:04 EST'],
    ['UTC as the zone', '{{current_time_UTC}}', '2026-11-20 10:13:04 UTC'],
    ['a link', '{{current_time_Asia/Calcutta}}', '2026-11-20 15:43:04 IST'],
    ['a zone with letters of the wrong case is unknown', '[{{current_time_asia/kolkata}}]', '[]'],
    [
      'a variable without a suffix takes the zone of one with a suffix',
      '{{current_weekday}} {{current_time_Pacific/Kiritimati}}',
      'Saturday 2026-11-21 00:13:04 +14',
    ],
    [
      'a time without a suffix takes the zone of a weekday with a suffix',
      '{{current_time}} {{current_weekday_Asia/Kolkata}}',
      '2026-11-20 15:43:04 IST Friday',
    ],
    [
      'with several zones the first in text order',
      '{{current_time}} {{current_weekday_Asia/Kolkata}} {{current_weekday_Asia/Tokyo}}',
      '2026-11-20 15:43:04 IST Friday Friday',
    ],
    ['unknown zone is empty', '[{{current_time_Mars/Base}}]', '[]'],
    ['unknown zone with a default', '{{current_time_Mars/Base | soon}}', 'soon'],
    [
      'a variable without a suffix is UTC beside an unknown zone',
      '{{current_time}}{{current_time_Mars/Base}}',
      '2026-11-20 10:13:04 UTC',
    ],
    ['the default of a time variable is not used', '{{current_time_UTC | soon}}', '2026-11-20 10:13:04 UTC'],
    ['spaces around', '{{ current_weekday }}', 'Friday'],
    ['a similar name is not a time variable', '[{{current_times}}]', '[]'],
  ])('%s', (_row, template, expected) => {
    expect(rendered(template)).toBe(expected);
  });

  test('summer time changes the abbreviation', () => {
    const summer = { variables: {}, now: new Date('2026-07-01T12:00:00Z') };
    expect(renderTemplate('{{current_time_Europe/Berlin}}', summer)).toBe('2026-07-01 14:00:00 CEST');
    expect(rendered('{{current_time_Europe/Berlin}}')).toBe('2026-11-20 11:13:04 CET');
  });

  test('a time variable takes precedence over an initial_context key with its name', () => {
    expect(
      rendered('{{current_weekday}} {{current_time_UTC}}', {
        current_weekday: 'Doomsday',
        current_time_UTC: 'x',
      }),
    ).toBe('Friday 2026-11-20 10:13:04 UTC');
  });

  test("a customer's own current_time_slot is not a time variable", () => {
    expect(
      rendered('{{current_time_slot}} {{current_time}} {{current_weekday_Asia/Tokyo}}', {
        current_time_slot: 'noon',
      }),
    ).toBe('noon 2026-11-20 19:13:04 JST Friday');
  });

  test('the zone is inferred over global prompt and node prompt together', () => {
    const parts = {
      variables: {},
      now,
      globalPrompt: 'Now {{current_time}}.',
      nodePrompt: 'Day {{current_weekday_Asia/Kolkata}}.',
    };
    expect(renderSystemPrompt(parts)).toBe('Now 2026-11-20 15:43:04 IST.\n\nDay Friday.');
  });

  test('every other text infers its own zone', () => {
    expect(
      renderPayload(['{{current_time}}', '{{current_time_Asia/Kolkata}}'], { variables: {}, now }),
    ).toEqual(['2026-11-20 10:13:04 UTC', '2026-11-20 15:43:04 IST']);
  });
});

describe('where templates are rendered, and from what (contract 7.4)', () => {
  test.each([null, '', '  \n'])(
    'without a global prompt (%j) the system prompt is the node prompt',
    (globalPrompt) => {
      expect(renderSystemPrompt({ variables: {}, now, globalPrompt, nodePrompt: 'Ask.' })).toBe('Ask.');
    },
  );

  test('a placeholder cannot span the global prompt and the node prompt', () => {
    expect(
      renderSystemPrompt({ variables: { name: 'x' }, now, globalPrompt: 'a {{', nodePrompt: 'name}} b' }),
    ).toBe('a {{\n\nname}} b');
  });

  test('prompts do not see gathered_context', () => {
    expect(rendered('[{{gathered_context.city}}]', { city: 'Riga' })).toBe('[]');
  });

  const source = {
    callId: 17,
    callName: 'WR-API-4859',
    agentId: 3,
    agentName: 'Survey',
    campaignId: null,
    callTime: '2026-11-20T10:13:04.000000Z',
    initialContext: { city: 'Riga' },
    gatheredContext: { rsvp: true },
    usage: { call_duration_seconds: 42.5 },
    annotations: { qa_1: { score: 9 } },
    extra: { a: 'b' },
    recordingUrl: 'https://x.test/r',
    transcriptUrl: 'https://x.test/t',
    userRecordingUrl: 'https://x.test/u',
    botRecordingUrl: null,
  };

  test.each([
    ['workflow_run_id', '17'],
    ['workflow_run_name', 'WR-API-4859'],
    ['workflow_id', '3'],
    ['workflow_name', 'Survey'],
    ['campaign_id', ''],
    ['call_time', '2026-11-20T10:13:04.000000Z'],
    ['initial_context.city', 'Riga'],
    ['gathered_context.rsvp', 'true'],
    ['cost_info.call_duration_seconds', '42.5'],
    ['annotations.qa_1.score', '9'],
    ['extra.a', 'b'],
    ['recording_url', 'https://x.test/r'],
    ['transcript_url', 'https://x.test/t'],
    ['user_recording_url', 'https://x.test/u'],
    ['bot_recording_url', ''],
    ['city', ''],
    ['rsvp', ''],
    ['current_weekday', 'Friday'],
  ])('a payload sees %s as %j (contract 9.2)', (name, expected) => {
    expect(renderPayload(`{{${name}}}`, { variables: payloadVariables(source), now })).toBe(expected);
  });
});

describe('hostile input', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom('{{', '}}', '{', '}', '|', ' ', '\n', 'a', '.', 'current_time', '_', '\\n', '\ud83d'),
      )
      .map((parts) => parts.join('')),
  );

  test('rendering never throws and leaves no placeholder', () => {
    fc.assert(
      fc.property(anyText, fc.dictionary(fc.string(), fc.jsonValue()), (template, variables) => {
        const texts = parseTemplate(template).flatMap((segment) =>
          segment.kind === 'text' ? [segment.text] : [],
        );
        expect(typeof renderTemplate(template, { variables, now })).toBe('string');
        expect(texts.every((text) => !/\{\{\s*[^\s|{}]+\s*\}\}/.test(text))).toBe(true);
      }),
    );
  });

  test('a template is split into no empty text', () => {
    fc.assert(
      fc.property(anyText, (template) => {
        expect(parseTemplate(template)).not.toContainEqual({ kind: 'text', text: '' });
      }),
    );
    expect(parseTemplate('{{a}}{{b}}')).toEqual(
      ['a', 'b'].map((name) => ({ kind: 'placeholder', name, defaultText: null })),
    );
    expect(parseTemplate('')).toEqual([]);
  });

  test('a valid placeholder is always filled', () => {
    const name = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,9}$/).filter((each) => !each.startsWith('current_'));
    fc.assert(
      fc.property(name, fc.string(), fc.stringMatching(/^\s{0,3}$/), (each, value, space) => {
        expect(renderTemplate(`<{{${space}${each}${space}}}>`, { variables: { [each]: value }, now })).toBe(
          `<${value}>`,
        );
      }),
    );
  });

  test.each([
    ['opening braces', '{'.repeat(200_000)],
    ['opening braces, then spaces', `${'{'.repeat(100_000)}${' '.repeat(100_000)}`],
    ['half placeholders', '{{a '.repeat(50_000)],
    ['half defaults', '{{a|'.repeat(50_000)],
    ['badly closed defaults', '{{a|}'.repeat(50_000)],
    ['spaced braces', '{{ '.repeat(70_000)],
    ['a long name', `{{${'a'.repeat(200_000)}`],
    ['a name of dots', `{{${'a.'.repeat(100_000)}}}`],
    ['closing braces', '}'.repeat(200_000)],
    ['whole placeholders', '{{a}}'.repeat(40_000)],
  ])('the work for %s is linear in the length', (_what, template) => {
    // Several times as long: more than linear work would exceed the test's timeout.
    expect(typeof renderTemplate(template.repeat(5), { variables: { a: { a: 1 } }, now })).toBe('string');
  });
});
