import { expect, test } from '@jest/globals';
import {
  ownModelFields,
  ownModelsOf,
  ownModelValues,
} from '../../../console/src/screens/editor/own-models.ts';
import {
  namesOf,
  type ValueSet,
  withoutName,
  withValue,
} from '../../../console/src/screens/editor/rail/value-sets.ts';
import { settingFields } from '../../../console/src/screens/editor/setting-fields.ts';
import { defaultSettings, unlistedDefaults } from '../../../src/contract/data/default-settings.ts';

test('every setting of an agent has a field in the drawer, also each one inside of another', () => {
  const { voicemail_detection: voicemail, transcript_configuration: transcript } = unlistedDefaults;
  const inside = (name: string, settings: object) => Object.keys(settings).map((key) => `${name}.${key}`);
  // The background sound has fields of its own, because it can be a file.
  const { ambient_noise_configuration: _sound, ...others } = defaultSettings;
  const wanted = [
    ...Object.keys(others),
    ...inside('voicemail_detection', voicemail),
    ...inside('transcript_configuration', transcript),
    'user_turn_stop_timeout',
  ];
  const fields = new Set(settingFields.map(({ key }) => key));
  expect(wanted.filter((key) => !fields.has(key))).toEqual([]);
});

const vendor = (...names: string[]) => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: ['model'],
});
const catalog = {
  llm: { openai: vendor('model', 'api_key'), groq: vendor('model', 'api_key') },
  tts: { google: vendor('voice') },
  stt: { telnyx: vendor('model') },
};
const words = { labelOf: (name: string) => name, vendorOf: (name: string) => name, none: 'none' };
const stored = {
  version: 2,
  mode: 'byok',
  byok: {
    mode: 'pipeline',
    pipeline: {
      llm: { provider: 'openai', model: 'a', api_key: '****1234', temperature: 1 },
      tts: null,
      stt: null,
      embeddings: { provider: 'x' },
    },
  },
};

test('the models of an agent are fields, and what has no field stays', () => {
  const values = ownModelValues(catalog, stored);
  expect(ownModelsOf(catalog, values, stored)).toEqual(stored);
  const shown = ownModelFields(catalog, words).filter(({ when }) => when === undefined || when(values));
  expect(shown.map(({ name }) => name)).toEqual([
    'llm.vendor',
    'llm.openai.model',
    'llm.openai.api_key',
    'tts.vendor',
    'stt.vendor',
  ]);
});

test('another vendor of an agent takes no key of the one before, and a voice can be added', () => {
  const values = {
    ...ownModelValues(catalog, stored),
    'llm.vendor': 'groq',
    'llm.groq.model': 'b',
    'tts.vendor': 'google',
    'tts.google.voice': 'Leda',
  };
  expect(ownModelsOf(catalog, values, stored)).toMatchObject({
    byok: {
      pipeline: {
        llm: { provider: 'groq', model: 'b' },
        tts: { provider: 'google', voice: 'Leda' },
        stt: null,
        embeddings: { provider: 'x' },
      },
    },
  });
  expect(JSON.stringify(ownModelsOf(catalog, values, stored))).not.toContain('1234');
});

test('the grid of test values has the names of all sets, and an empty cell leaves the value of the agent', () => {
  const sets: ValueSet[] = [
    { id: 'a', name: 'Otto', values: { day: 'Friday' } },
    { id: 'b', name: 'Ines', values: { plan: 'gold' } },
  ];
  expect(namesOf({ city: 'Bonn', day: 'Monday' }, sets, ['plan', 'age'])).toEqual([
    'city',
    'day',
    'plan',
    'age',
  ]);
  expect(withValue(sets, { id: 'a', name: 'city', value: 'Rome' })[0]?.values).toEqual({
    day: 'Friday',
    city: 'Rome',
  });
  expect(withValue(sets, { id: 'a', name: 'day', value: '' })[0]?.values).toEqual({});
  expect(withoutName(sets, 'plan').map(({ values }) => values)).toEqual([{ day: 'Friday' }, {}]);
});
