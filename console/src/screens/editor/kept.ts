import type { Base } from '../../graph/saver.ts';
import type { Draft } from '../../graph/draft.ts';

/** Unsaved work of one agent, as this browser keeps it. */
export interface Kept {
  draft: Draft;
  base: Base;
  /** Milliseconds since 1970. */
  at: number;
}

const storeName = 'unsaved';
let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('parlance.editor', 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('No database')));
  });
  return opened;
}

async function run<T>(mode: IDBTransactionMode, make: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  return await new Promise((resolve, reject) => {
    const transaction = database.transaction(storeName, mode);
    const request = make(transaction.objectStore(storeName));
    transaction.addEventListener('complete', () => resolve(request.result));
    transaction.addEventListener('error', () => reject(transaction.error ?? new Error('Not kept')));
  });
}

/** Work that was not saved, in this browser. Without a database the work lasts as long as the page. */
export const kept = {
  read: async (key: string): Promise<Kept | null> =>
    await run('readonly', (store) => store.get(key) as IDBRequest<Kept | undefined>).then(
      (found) => found ?? null,
      () => null,
    ),
  write: async (key: string, work: Kept): Promise<void> => {
    await run('readwrite', (store) => store.put(work, key)).catch(() => undefined);
  },
  remove: async (key: string): Promise<void> => {
    await run('readwrite', (store) => store.delete(key)).catch(() => undefined);
  },
};
