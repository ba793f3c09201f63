import type { FileDirectory } from '../../src/providers/storage/directory.ts';

/** A folder that takes every file and has none, for tests that are not about files. */
export const noFiles: FileDirectory = {
  write: () => Promise.resolve(true),
  facts: () => Promise.resolve(null),
  read: async function* () {},
  grow: () => Promise.resolve({ write: () => Promise.resolve(), close: () => Promise.resolve() }),
  remove: () => Promise.resolve(),
};
