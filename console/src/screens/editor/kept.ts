import { nowMs } from '../../app/clock.ts';
import { freshId } from '../../app/insecure.ts';
import type { Base } from '../../graph/saver.ts';
import type { Draft } from '../../graph/draft.ts';

/** Unsaved work of one visit of one agent, as this browser keeps it. */
export interface Kept {
  draft: Draft;
  base: Base;
  /** Milliseconds since 1970, by the clock of the service. */
  at: number;
}

/** Work that an earlier visit has left. */
export interface LeftWork extends Kept {
  key: string;
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

export interface Keeping {
  /** Keeps the work of this visit; null when everything is saved. */
  keep: (work: Omit<Kept, 'at'> | null) => void;
  forget: (left: LeftWork) => void;
  /** After the last change was saved, or could not be. */
  end: () => void;
}

/**
 * Work that was not saved, in this browser. Without a database it lasts as long as the page. Each visit keeps its
 * own and holds a lock as long as it lasts, so that two tabs of one agent neither delete nor offer each other's:
 * `onLeft` hears of work when the visit that kept it is over.
 */
export function keepWork(agent: string, onLeft: (left: LeftWork) => void): Keeping {
  const own = `${agent}/${freshId()}`;
  const over = new AbortController();
  // Browsers have locks on safe addresses only; elsewhere all that is kept is offered.
  const locks = 'locks' in navigator ? navigator.locks : null;
  void locks
    ?.request(own, async () => await new Promise((resolve) => over.signal.addEventListener('abort', resolve)))
    .catch(() => undefined);

  const offer = async (key: string): Promise<void> => {
    const work = await run('readonly', (store) => store.get(key) as IDBRequest<Kept | undefined>);
    if (work !== undefined && !over.signal.aborted) onLeft({ ...work, key });
  };
  const look = async (): Promise<void> => {
    const keys = await run('readonly', (store) => store.getAllKeys(IDBKeyRange.bound(agent, `${agent}/~`)));
    for (const key of keys.map(String))
      if (key !== own)
        void (
          locks === null ? offer(key) : locks.request(key, { signal: over.signal }, () => offer(key))
        ).catch(() => undefined);
  };
  void look().catch(() => undefined);

  const remove = (key: string) => void run('readwrite', (store) => store.delete(key)).catch(() => undefined);
  return {
    keep: (work) =>
      work === null
        ? remove(own)
        : void run('readwrite', (store) => store.put({ ...work, at: nowMs() }, own)).catch(() => undefined),
    forget: ({ key }) => remove(key),
    end: () => over.abort(),
  };
}
