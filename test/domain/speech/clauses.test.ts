import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  createClauseCutter,
  maxClauseCharacters,
  splitForSpeech,
} from '../../../src/domain/speech/clauses.ts';

/** Pushes a text as a language model streams it, `size` characters at a time. */
function cut(text: string, size = 4): string[] {
  const cutter = createClauseCutter();
  const clauses: string[] = [];
  for (let at = 0; at < text.length; at += size) clauses.push(...cutter.push(text.slice(at, at + size)));
  const last = cutter.flush();
  return last === null ? clauses : [...clauses, last];
}

const trimmed = (text: string): string[] => cut(text).map((clause) => clause.trim());

describe('the first clause of a reply', () => {
  it('ends at a comma', () => {
    expect(trimmed('Good morning Ana, how are you doing today? I hope all is well.')).toEqual([
      'Good morning Ana,',
      'how are you doing today?',
      'I hope all is well.',
    ]);
  });

  it('ends after four words of some length or six short words', () => {
    expect(trimmed('Appointments are usually available on weekdays until noon.')).toEqual([
      'Appointments are usually available',
      'on weekdays until noon.',
    ]);
    expect(trimmed('I am so on it as we go on it all.')[0]).toBe('I am so on it as');
  });

  it('is a whole sentence if that is short', () => {
    expect(trimmed('Yes! We can do that for you on any of the days.')).toEqual([
      'Yes!',
      'We can do that for you on any of the days.',
    ]);
  });

  it('is complete with its last word, without waiting for the rest', () => {
    const cutter = createClauseCutter();
    expect(cutter.push('Well then, ')).toEqual([]);
    expect(cutter.push('l')).toEqual(['Well then, ']);
    expect(createClauseCutter().push('Hello. ')).toEqual(['Hello. ']);
  });
});

describe('a cut', () => {
  const whole = [
    'Fine. It costs 1,250.50 dollars or 3.5 percent. Really.',
    'Fine. Dr. Smith and Mrs. J. R. Jones live on St. James street. Really.',
    'Fine. Come at 9:30 p.m. or 10 a.m. to the U.S. embassy, e.g. by car. Really.',
    'Fine. Look at https://example.com/a.b?c=d,e. Really.',
    'Fine. Write to ana.b@example.co.uk, please. Really.',
    'Fine. Am 3. Mai um 9 Uhr, bzw. z.B. am 12. Juni. Really.',
  ];
  for (const text of whole) {
    it(`never splits a number, an abbreviation or an address: ${text}`, () => {
      const clauses = trimmed(text);
      expect(clauses).toEqual(['Fine.', text.slice('Fine. '.length, -' Really.'.length), 'Really.']);
    });
  }

  it('never splits the groups of a number or a number from its unit', () => {
    expect(trimmed('It is 555 123 4567 extension 12 as far as anybody knows.')[0]).toBe(
      'It is 555 123 4567 extension',
    );
    expect(trimmed('We are at 12, 14 and 16 Main Street today, I think.')[0]).toMatch(/14 and$/);
  });

  it('comes after closing quotes and brackets', () => {
    expect(trimmed('He said "Stop." Then he left (at last.) And so on.')).toEqual([
      'He said "Stop."',
      'Then he left (at last.)',
      'And so on.',
    ]);
  });

  it('needs no space in Chinese and Japanese', () => {
    expect(cut('好的，没问题。明天见！', 1)).toEqual(['好的，没问题。', '明天见！']);
  });

  it('comes at the maximum length at the latest', () => {
    const clauses = cut(`Fine. ${'word '.repeat(200)}`);
    expect(Math.max(...clauses.map(({ length }) => length))).toBeLessThanOrEqual(maxClauseCharacters);
    expect(clauses.slice(0, -1).every((clause) => clause.endsWith(' '))).toBe(true);
    expect(Math.max(...cut('x'.repeat(1000)).map(({ length }) => length))).toBe(maxClauseCharacters);
  });
});

describe('all clauses of a reply', () => {
  const texts = fc
    .array(
      fc.constantFrom(
        'Hello',
        ' ',
        ' ',
        ', ',
        '. ',
        '? ',
        '\n',
        '3',
        '.',
        ',',
        'Dr.',
        ' p.m. ',
        '。',
        '😀',
        '...',
        '"',
        'word ',
      ),
      { maxLength: 120 },
    )
    .map((parts) => parts.join(''));

  it('are its text, for any split of the stream', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, size) => {
        const clauses = cut(text, size);
        expect(clauses).toEqual(cut(text, 1));
        expect(text.startsWith(clauses.join(''))).toBe(true);
        expect(text.slice(clauses.join('').length)).not.toMatch(/[\p{L}\p{N}]/u);
        expect(clauses.every((clause) => /[\p{L}\p{N}]/u.test(clause))).toBe(true);
      }),
    );
  });

  it('start afresh with the next reply', () => {
    const cutter = createClauseCutter();
    cutter.push('Good day to all. And then');
    expect(cutter.flush()).toBe('And then');
    expect(cutter.push('Well then, good')).toEqual(['Well then, ']);
    expect(createClauseCutter().flush()).toBeNull();
  });
});

describe('a text for a voice with a limit', () => {
  it('is cut after a sentence, or a clause, or a word', () => {
    expect(splitForSpeech('One two. Three four, five six seven', { characters: 22 })).toEqual([
      'One two. ',
      'Three four, ',
      'five six seven',
    ]);
    expect(splitForSpeech('One two three four', { characters: 10 })).toEqual(['One two ', 'three four']);
    expect(splitForSpeech('', { characters: 10 })).toEqual([]);
  });

  it('stays within the limit in bytes or characters and loses nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Hello ', 'ß', '日本。', '😀', '. ', ', ', 'longwordlongword'), {
          minLength: 1,
        }),
        fc.integer({ min: 8, max: 60 }),
        (parts, max) => {
          const text = `a${parts.join('')}`;
          for (const limit of [{ bytes: max }, { characters: max }]) {
            const pieces = splitForSpeech(text, limit);
            expect(pieces.join('')).toBe(text);
            for (const piece of pieces) {
              expect('bytes' in limit ? Buffer.byteLength(piece) : piece.length).toBeLessThanOrEqual(max);
              expect(piece.isWellFormed()).toBe(true);
            }
          }
        },
      ),
    );
  });
});
