import type { Files } from '../../src/providers/storage/port.ts';

/** A folder that accepts every file and has none, for tests without files. */
export const noFiles: Files = {
  backend: 'local',
  links: null,
  write: () => Promise.resolve(true),
  facts: () => Promise.resolve(null),
  read: async function* () {},
  grow: () => Promise.resolve({ write: () => Promise.resolve(), close: () => Promise.resolve() }),
  grown: () => Promise.resolve(null),
  remove: () => Promise.resolve(),
  removeAll: () => Promise.resolve(),
  list: async function* () {},
  removeUnfinished: () => Promise.resolve(),
};
