import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { InvariantError, UnavailableError } from '../../../src/domain/errors.ts';
import { openDirectory, type FileDirectory } from '../../../src/providers/storage/directory.ts';

let folder: string;
let files: FileDirectory;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  files = await openDirectory(join(folder, 'made'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
const textOf = async (key: string, range?: { first: number; last: number }) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read(key, range)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const incoming = () => readdir(join(folder, 'made', '.incoming'));

test('what was written is read again, whole and in parts, and known by size and kind', async () => {
  expect(await files.write('campaigns/7/a.csv', pieces('name,', 'phone\n'), 11)).toBe(true);
  expect(await textOf('campaigns/7/a.csv')).toBe('name,phone\n');
  expect(await textOf('campaigns/7/a.csv', { first: 5, last: 9 })).toBe('phone');
  expect(await files.facts('campaigns/7/a.csv')).toEqual({ bytes: 11, modifiedAt: expect.any(Date), mediaType: 'text/csv; charset=utf-8' });
  expect(await incoming()).toEqual([]);
});

test('a file that there is not has no facts, also below one', async () => {
  await files.write('campaigns/7/a.csv', pieces('x'), 1);
  expect([await files.facts('campaigns/7/b.csv'), await files.facts('campaigns/7/a.csv/b')]).toEqual([null, null]);
});

test('one byte too many: nothing is there, and the older file stays', async () => {
  expect(await files.write('campaigns/7/a.csv', pieces('old'), 3)).toBe(true);
  expect(await files.write('campaigns/7/a.csv', pieces('ne', 'w!'), 3)).toBe(false);
  expect(await textOf('campaigns/7/a.csv')).toBe('old');
  expect(await incoming()).toEqual([]);
});

test('one that breaks off changes nothing and leaves nothing behind', async () => {
  await files.write('campaigns/7/a.csv', pieces('old'), 3);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('n');
    throw new Error('the client is gone');
  }
  await expect(files.write('campaigns/7/a.csv', broken(), 9)).rejects.toThrow('the client is gone');
  expect(await textOf('campaigns/7/a.csv')).toBe('old');
  expect(await incoming()).toEqual([]);
});

test('until it is whole nobody sees it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a');
    await promise;
    yield Buffer.from('b');
  }
  const writing = files.write('campaigns/7/a.csv', slow(), 9);
  expect(await files.facts('campaigns/7/a.csv')).toBeNull();
  resolve();
  expect(await writing).toBe(true);
  expect(await textOf('campaigns/7/a.csv')).toBe('ab');
});

test.each(['../outside', '/etc/passwd', 'a/../../outside', '.incoming/x', 'a/\u0000'])('%j leads nowhere', async (key) => {
  await expect(files.write(key, pieces('x'), 1)).rejects.toBeInstanceOf(InvariantError);
  await expect(files.facts(key)).rejects.toBeInstanceOf(InvariantError);
  expect(() => files.read(key)).toThrow(InvariantError);
  expect(await readdir(folder)).toEqual(['made']);
});

test('nobody else on the machine reads it', async () => {
  await files.write('campaigns/7/a.csv', pieces('x'), 1);
  const modes = await Promise.all(['made/campaigns/7/a.csv', 'made/campaigns/7', 'made/.incoming'].map(async (each) => (await stat(join(folder, each))).mode & 0o777));
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});

test('a folder that is no folder, or gone, is a dependency that is away', async () => {
  await writeFile(join(folder, 'made', 'campaigns'), 'a file in the way');
  await expect(files.write('campaigns/7/a.csv', pieces('x'), 1)).rejects.toMatchObject({ dependency: 'storage', message: 'The file storage is away or full' });
  await rm(join(folder, 'made'), { recursive: true });
  await expect(files.write('ambient_noise/7/a.wav', pieces('x'), 1)).rejects.toBeInstanceOf(UnavailableError);
});

test('a folder that cannot be made is told when it is opened', async () => {
  await writeFile(join(folder, 'file'), 'x');
  await expect(openDirectory(join(folder, 'file', 'below'))).rejects.toThrow('ENOTDIR');
  expect(await readFile(join(folder, 'file'), 'utf8')).toBe('x');
});

test('a file that is removed is gone; removing it again is nothing', async () => {
  await files.write('line_recordings/7/a.wav', pieces('x'), 1);
  await files.remove('line_recordings/7/a.wav');
  await files.remove('line_recordings/7/a.wav');
  expect(await files.facts('line_recordings/7/a.wav')).toBeNull();
});
