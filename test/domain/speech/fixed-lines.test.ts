import { expect, test } from '@jest/globals';
import { fixedLine, fixedLineNames } from '../../../src/domain/speech/fixed-lines.ts';

test.each(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'])(
  'every fixed line exists in %s for any tag of the language, and all of them differ',
  (language) => {
    const lines = fixedLineNames.map((name) => fixedLine(name, `${language}-XX`));
    expect(lines.every((line) => line.length > 5 && line.trim() === line)).toBe(true);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.some((line, index) => line === fixedLine(fixedLineNames[index] ?? 'recovery', 'en'))).toBe(
      language === 'en',
    );
  },
);

test('an untranslated language gets English lines', () => {
  expect(fixedLine('one_moment', 'xx-YY')).toBe(fixedLine('one_moment', 'en'));
  expect(fixedLine('one_moment', '')).toBe(fixedLine('one_moment', 'en'));
});
