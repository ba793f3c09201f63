import { expect, test } from '@jest/globals';
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
