import { describe, expect, test } from '@jest/globals';
import { UnavailableError } from '../../../src/domain/errors.ts';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import type { StoredFile } from '../../../src/providers/contact-files/port.ts';
import { allRows, storedFile, workbookOf } from '../../support/contact-file-bytes.ts';

const files = createContactFiles();
const text = `phone,name\n${'+14155550130,Ann\n'.repeat(50_000)}`;
const sheet = `<row><c t="str"><v>phone</v></c></row>${'<row><c><v>14155550130</v></c></row>'.repeat(50_000)}`;
const contents = [
  ['text', Buffer.from(text), { encoding: 'utf8', separator: ',' as const, sheet: null, headerLine: 1 }],
  ['workbook', workbookOf(sheet), { encoding: null, separator: null, sheet: 'Contacts', headerLine: 1 }],
] as const;

/** A file whose storage counts what is open, and fails from a given reading on. */
function watched(
  content: Uint8Array,
  { failsAt = Infinity } = {},
): { file: StoredFile; seen: { open: number; readings: number } } {
  const inner = storedFile(content, 4096);
  const seen = { open: 0, readings: 0 };
  return {
    seen,
    file: {
      bytes: inner.bytes,
      async *read(range) {
        seen.readings += 1;
        const isBroken = seen.readings >= failsAt;
        seen.open += 1;
        try {
          for await (const piece of inner.read(range)) {
            yield piece;
            if (isBroken) throw new UnavailableError('The storage is unavailable', { dependency: 'storage' });
          }
        } finally {
          seen.open -= 1;
        }
      },
    },
  };
}

describe.each(contents)('a %s in a storage that fails', (_, content, reading) => {
  test('is not a damaged file: the fault passes through, wherever it happens, and nothing stays open', async () => {
    for (let failsAt = 1; failsAt <= 12; failsAt += 1) {
      const { file, seen } = watched(content, { failsAt });
      const failure: unknown = await allRows(files, file).then(
        () => null,
        (error: unknown) => error,
      );
      expect([
        failsAt,
        failure === null ? seen.readings < failsAt : failure instanceof UnavailableError,
      ]).toEqual([failsAt, true]);
      expect([failsAt, seen.open]).toEqual([failsAt, 0]);
    }
  });

  test('nothing stays open if its rows are not read to the end', async () => {
    const { file, seen } = watched(content);
    await files.inspect(file);
    for await (const rows of files.rows(file, reading)) if (rows.length > 0) break;
    expect(seen.open).toBe(0);
  });

  test('a header line that the file does not have is reported', async () => {
    const read = async (): Promise<void> => {
      for await (const rows of files.rows(storedFile(content, 65_536), { ...reading, headerLine: 900_000 }))
        expect(rows).toEqual([]);
    };
    await expect(read()).rejects.toMatchObject({ fault: 'no_header' });
  });
});
