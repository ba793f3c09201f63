import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { InvariantError, UnavailableError } from '../../../src/domain/errors.ts';
import { openDirectory } from '../../../src/providers/storage/directory.ts';
import type { Files } from '../../../src/providers/storage/port.ts';
import { listedBelow, pieces, textOf } from './conformance.ts';

let folder: string;
let files: Files;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  files = await openDirectory(join(folder, 'made'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a key never leads outside the folder', async () => {
  for (const key of ['../outside', 'a/../../outside', '/etc/passwd'])
    await expect(files.write(key, pieces('x'), 1)).rejects.toBeInstanceOf(InvariantError);
  expect(await readdir(folder)).toEqual(['made']);
});

test('no other user of the machine can read it', async () => {
  await files.write('campaigns/7/a.csv', pieces('x'), 1);
  const modes = await Promise.all(
    ['made/campaigns/7/a.csv', 'made/campaigns/7', 'made/.incoming'].map(
      async (each) => (await stat(join(folder, each))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});

test('a missing or invalid folder is an unavailable dependency', async () => {
  await writeFile(join(folder, 'made', 'campaigns'), 'a file in the way');
  await expect(files.write('campaigns/7/a.csv', pieces('x'), 1)).rejects.toMatchObject({
    dependency: 'storage',
    message: 'The file storage is unavailable or full',
  });
  await rm(join(folder, 'made'), { recursive: true });
  await expect(files.write('ambient_noise/7/a.wav', pieces('x'), 1)).rejects.toBeInstanceOf(UnavailableError);
});

test('an unreadable file is an unavailable dependency', async () => {
  await files.write('campaigns/7/a/b.csv', pieces('x'), 1);
  await expect(textOf(files.read('campaigns/7/a'))).rejects.toMatchObject({ dependency: 'storage' });
});

test('removes the unfinished file of a dead process after a long time without writes', async () => {
  const incoming = join(folder, 'made', '.incoming');
  const dayAgo = new Date(Date.now() - 86_400_000);
  for (const name of ['left-behind', 'being-written']) await writeFile(join(incoming, name), 'x');
  await utimes(join(incoming, 'left-behind'), dayAgo, dayAgo);
  await files.removeUnfinished(new Date(Date.now() - 60_000));
  expect(await readdir(incoming)).toEqual(['being-written']);
});

test('a folder that cannot be listed is an unavailable dependency', async () => {
  await symlink('campaigns', join(folder, 'made', 'campaigns'));
  await expect(listedBelow(files, 'campaigns')).rejects.toMatchObject({ dependency: 'storage' });
});

test('opening throws if the folder cannot be created', async () => {
  await writeFile(join(folder, 'file'), 'x');
  await expect(openDirectory(join(folder, 'file', 'below'))).rejects.toThrow('ENOTDIR');
  expect(await readFile(join(folder, 'file'), 'utf8')).toBe('x');
});
