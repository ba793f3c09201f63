import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InvariantError, NotFoundError } from '../../../src/domain/errors.ts';
import type { Files, ListedFile } from '../../../src/providers/storage/port.ts';
import { until } from '../../support/until.ts';

/** A storage under test. */
export interface FilesUnderTest {
  files: Files;
  /** All stored names, including unfinished files. */
  lying: () => Promise<string[]>;
  /** Removes everything. */
  empty: () => Promise<void>;
  close: () => Promise<void>;
}

export async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

export async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** All files in the list of a folder, in the order of their pages. */
export async function listedBelow(files: Pick<Files, 'list'>, folder: string): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for await (const page of files.list(folder)) found.push(...page);
  return found;
}

const key = 'campaigns/7/a.csv';
const mebibyte = 1024 * 1024;

/** The guarantees of every file storage. */
export function describeFiles(kind: string, open: () => Promise<FilesUnderTest>): void {
  describe(`the port of files on ${kind}`, () => {
    let under: FilesUnderTest;
    let files: Files;

    beforeAll(async () => {
      under = await open();
      files = under.files;
    });
    beforeEach(() => under.empty());
    afterAll(() => under.close());

    test('reads written files whole and in parts, and knows their size and media type', async () => {
      expect(await files.write(key, pieces('name,', 'phone\n'), 11)).toBe(true);
      expect(await textOf(files.read(key))).toBe('name,phone\n');
      expect(await textOf(files.read(key, { first: 5, last: 9 }))).toBe('phone');
      expect(await files.facts(key)).toEqual({
        bytes: 11,
        modifiedAt: expect.any(Date),
        mediaType: 'text/csv; charset=utf-8',
      });
      expect(await under.lying()).toEqual([key]);
    });

    test('replaces a file that is written again', async () => {
      await files.write(key, pieces('old'), 3);
      expect(await files.write(key, pieces('newer'), 5)).toBe(true);
      expect([await textOf(files.read(key)), (await files.facts(key))?.bytes]).toEqual(['newer', 5]);
    });

    test('stores an empty file', async () => {
      expect(await files.write(key, pieces(), 0)).toBe(true);
      expect([await textOf(files.read(key)), (await files.facts(key))?.bytes]).toEqual(['', 0]);
    });

    test('writes and reads more than twenty mebibytes unchanged', async () => {
      const sent = Buffer.alloc(20 * mebibyte + 7, 'Parlance');
      async function* chunked(): AsyncGenerator<Uint8Array> {
        for (let from = 0; from < sent.length; from += 3 * mebibyte)
          yield sent.subarray(from, from + 3 * mebibyte);
      }
      expect(await files.write(key, chunked(), sent.length)).toBe(true);
      const read: Uint8Array[] = [];
      for await (const chunk of files.read(key)) read.push(chunk);
      expect(Buffer.concat(read).equals(sent)).toBe(true);
      expect(await textOf(files.read(key, { first: 16 * mebibyte, last: 16 * mebibyte + 7 }))).toBe(
        'Parlance',
      );
      expect(await under.lying()).toEqual([key]);
    });

    test('has no facts of a missing file, even below an existing one, and cannot read it', async () => {
      await files.write(key, pieces('x'), 1);
      expect([
        await files.facts('campaigns/7/b.csv'),
        await files.facts(`${key}/b`),
        await files.grown('recordings/7/1.pcm'),
      ]).toEqual([null, null, null]);
      await expect(textOf(files.read('campaigns/7/b.csv'))).rejects.toBeInstanceOf(NotFoundError);
    });

    test.each([
      ['small', 1],
      ['of many parts', 18 * mebibyte],
    ])('writes nothing and keeps the older file if a %s file has one byte too many', async (_, length) => {
      expect(await files.write(key, pieces('old'), 3)).toBe(true);
      async function* tooMany(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(length);
        yield Buffer.alloc(1);
      }
      expect(await files.write(key, tooMany(), length)).toBe(false);
      expect([await textOf(files.read(key)), await under.lying()]).toEqual(['old', [key]]);
    });

    // guarantee: file-written-whole-or-not-at-all
    test.each([
      ['at once', 1],
      ['after many parts', 18 * mebibyte],
    ])('changes nothing and leaves nothing if writing breaks off %s', async (_, length) => {
      await files.write(key, pieces('old'), 3);
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(length);
        throw new Error('the client is gone');
      }
      await expect(files.write(key, broken(), 32 * mebibyte)).rejects.toThrow('the client is gone');
      expect([await textOf(files.read(key)), await under.lying()]).toEqual(['old', [key]]);
    });

    test('shows a file only once it is whole', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('a');
        await promise;
        yield Buffer.from('b');
      }
      const writing = files.write(key, slow(), 9);
      expect(await files.facts(key)).toBeNull();
      resolve();
      expect(await writing).toBe(true);
      expect(await textOf(files.read(key))).toBe('ab');
    });

    test('removes a file; a repeated removal does nothing', async () => {
      await files.write(key, pieces('x'), 1);
      await files.remove(key);
      await files.remove(key);
      expect([await files.facts(key), await under.lying()]).toEqual([null, []]);
    });

    test('lists the files of a folder with their times of writing, even if they are removed meanwhile', async () => {
      const since = Date.now();
      const all = ['campaigns/7/a.csv', 'campaigns/7/b.csv', 'campaigns/8/deeper/c.csv'];
      for (const each of [...all, 'campaigns_of_old/7/a.csv', 'recordings/5.wav'])
        await files.write(each, pieces('x'), 1);
      const listed: ListedFile[] = [];
      for await (const page of files.list('campaigns')) {
        listed.push(...page);
        for (const each of page) await files.remove(each.key);
      }
      expect(listed.map((each) => each.key).toSorted()).toEqual(all);
      // A bucket reports whole seconds, rounded down.
      for (const { modifiedAt } of listed) expect(modifiedAt.getTime()).toBeGreaterThan(since - 2000);
      expect((await under.lying()).toSorted()).toEqual(['campaigns_of_old/7/a.csv', 'recordings/5.wav']);
    });

    test('lists no files for a missing folder', async () => {
      expect(await listedBelow(files, 'campaigns')).toEqual([]);
    });

    test('removes no finished file and no file that is being written with the unfinished ones', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('a');
        await promise;
        yield Buffer.from('b');
      }
      await files.write('campaigns/7/old.csv', pieces('x'), 1);
      const writing = files.write(key, slow(), 9);
      await files.removeUnfinished(new Date(Date.now() - 60_000));
      resolve();
      expect([
        await writing,
        await textOf(files.read(key)),
        await textOf(files.read('campaigns/7/old.csv')),
      ]).toEqual([true, 'ab', 'x']);
    });

    test('removes everything below a key and nothing else', async () => {
      const all = [
        'recordings/5.wav',
        'recordings/5/user.wav',
        'recordings/5/bot.wav',
        'recordings/55/user.wav',
        'recordings/55.wav',
      ];
      for (const each of all) await files.write(each, pieces('x'), 1);
      const growing = await files.grow('recordings/5/1.pcm');
      await growing.write(Buffer.from('grows'), 0);
      await growing.close();
      await files.removeAll('recordings/5');
      await files.removeAll('recordings/5');
      expect((await under.lying()).toSorted()).toEqual([
        'recordings/5.wav',
        'recordings/55.wav',
        'recordings/55/user.wav',
      ]);
    });

    test('has each byte of a closed growing file at its position, with zeros between', async () => {
      const growing = await files.grow('recordings/5/1.pcm');
      await growing.write(Buffer.from('abc'), 0);
      await growing.write(Buffer.from('def'), 3);
      await growing.write(Buffer.from('g'), 9);
      await growing.close();
      const grown = await files.grown('recordings/5/1.pcm');
      expect(grown?.bytes).toBe(10);
      expect(await textOf(grown?.read() ?? pieces())).toBe('abcdef\0\0\0g');
      expect(await textOf(grown?.read() ?? pieces())).toBe('abcdef\0\0\0g');
      await files.removeAll('recordings/5/1.pcm');
      expect([await files.grown('recordings/5/1.pcm'), await under.lying()]).toEqual([null, []]);
    });

    // guarantee: recording-stored-as-it-grows
    test('keeps a growing file except for at most its last 256 KiB when its process dies', async () => {
      const growing = await files.grow('recordings/5/1.pcm');
      const second = 64 * 1024;
      for (let at = 0; at < 20 * second; at += second) await growing.write(Buffer.alloc(second, 'x'), at);
      const grown = await until('all but the last 256 KiB are there', async () => {
        const found = await files.grown('recordings/5/1.pcm');
        return (found?.bytes ?? 0) >= 20 * second - 256 * 1024 ? found : undefined;
      });
      expect((await textOf(grown?.read() ?? pieces())).length).toBe(grown?.bytes);
      await growing.close();
      expect((await files.grown('recordings/5/1.pcm'))?.bytes).toBe(20 * second);
    });

    test.each(['../outside', '/etc/passwd', 'a/../../outside', '.incoming/x', 'a/\u0000', 'a//b', 'x', ''])(
      'refuses the key %j',
      async (no) => {
        await expect(files.write(no, pieces('x'), 1)).rejects.toBeInstanceOf(InvariantError);
        await expect(files.facts(no)).rejects.toBeInstanceOf(InvariantError);
        await expect(files.remove(no)).rejects.toBeInstanceOf(InvariantError);
        await expect(files.removeAll(no)).rejects.toBeInstanceOf(InvariantError);
        await expect(files.grow(no)).rejects.toBeInstanceOf(InvariantError);
        await expect(files.grown(no)).rejects.toBeInstanceOf(InvariantError);
        expect(() => files.read(no)).toThrow(InvariantError);
        expect(await under.lying()).toEqual([]);
      },
    );

    test.each(['../outside', '/etc', '.incoming', 'a/', 'a//b', ''])(
      'refuses to list the folder %j',
      async (no) => {
        await expect(listedBelow(files, no)).rejects.toBeInstanceOf(InvariantError);
      },
    );
  });
}
