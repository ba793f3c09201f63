import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openDirectory } from '../../../src/providers/storage/directory.ts';
import { startTestBucket } from '../../support/bucket.ts';
import { describeFiles } from './conformance.ts';

describeFiles('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  const incoming = join(folder, '.incoming');
  const files = await openDirectory(folder);
  return {
    files,
    lying: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((each) => each.isFile())
        .map((each) => relative(folder, join(each.parentPath, each.name))),
    async empty() {
      for (const each of await readdir(folder)) await rm(join(folder, each), { recursive: true });
      await mkdir(incoming);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

describeFiles('a bucket', async () => {
  const { emulator, files, close } = await startTestBucket();
  return {
    files,
    lying: () => Promise.resolve([...emulator.bucket.objects.keys(), ...emulator.bucket.uploads.keys()]),
    empty: () => Promise.resolve(emulator.bucket.objects.clear()),
    close,
  };
});
