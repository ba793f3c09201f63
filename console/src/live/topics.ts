import { useEffect, useRef, useSyncExternalStore } from 'react';
import { freshId } from '../app/insecure.ts';
import { session } from '../app/session.ts';
import { readStream, type StreamEvent } from './stream.ts';

/**
 * The topics that the pages of this browser follow. One tab reads the stream for all: the one that holds the lock. It
 * gets to know from the others what they follow, and tells them what it reads. A browser without locks (a page without
 * TLS) reads nothing, and its pages ask the service from time to time.
 */

type Message =
  /** What a tab follows; an empty list when it closes. */
  | { kind: 'wants'; tab: string; topics: readonly string[] }
  /** A tab has begun to read, and asks what the others follow. */
  | { kind: 'who' }
  | { kind: 'told'; told: StreamEvent }
  | { kind: 'live'; topics: readonly string[] };

const tab = freshId();
const followed = new Map<string, Set<(told: StreamEvent) => void>>();
const listeners = new Set<() => void>();
/** The topics that are read now. */
let live: ReadonlySet<string> = new Set();
let channel: BroadcastChannel | null = null;
/** What this tab reads for all; null while another does. */
let reader: Reader | null = null;

/** Follows a topic, and answers whether its news come by themselves. `null` follows nothing. */
export function useTopic(topic: string | null, onTold: (told: StreamEvent) => void): boolean {
  const latest = useRef(onTold);
  useEffect(() => {
    latest.current = onTold;
  });
  useEffect(() => (topic === null ? undefined : follow(topic, (told) => latest.current(told))), [topic]);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => topic !== null && live.has(topic),
  );
}

function follow(topic: string, onTold: (told: StreamEvent) => void): () => void {
  begin();
  const others = followed.get(topic) ?? new Set();
  others.add(onTold);
  followed.set(topic, others);
  want();
  return () => {
    others.delete(onTold);
    if (others.size === 0) followed.delete(topic);
    want();
  };
}

function post(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel?.postMessage(message);
}

function want(): void {
  const topics = [...followed.keys()];
  post({ kind: 'wants', tab, topics });
  reader?.want(tab, topics);
}

/** Takes part, once: as a listener, and as the reader when no other tab is. */
function begin(): void {
  const locks = navigator.locks as LockManager | undefined;
  if (channel !== null || locks === undefined) return;
  channel = new BroadcastChannel('parlance.events');
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(data));
  addEventListener('pagehide', () => post({ kind: 'wants', tab, topics: [] }));
  // The lock is held until the tab is closed.
  void locks.request('parlance.events', () => {
    reader = new Reader();
    post({ kind: 'who' });
    want();
    return new Promise<never>(() => undefined);
  });
}

function hear(message: Message): void {
  if (message.kind === 'wants') reader?.want(message.tab, message.topics);
  else if (message.kind === 'who') want();
  else if (message.kind === 'told') tell(message.told);
  else setLive(message.topics);
}

function setLive(topics: readonly string[]): void {
  live = new Set(topics);
  for (const each of listeners) each();
}

function tell(told: StreamEvent): void {
  const topic = told.event === 'calls' ? 'org' : `${told.event}:${String(told.data['id'])}`;
  for (const each of followed.get(topic) ?? []) each(told);
}

/** One stream with the topics of all tabs, for the person who is signed in. */
class Reader {
  readonly #wanted = new Map<string, readonly string[]>();
  #topics: readonly string[] = [];
  #stop = (): void => undefined;

  constructor() {
    let token = session.get()?.token;
    session.subscribe(() => {
      if (session.get()?.token === token) return;
      token = session.get()?.token;
      this.#open();
    });
  }

  want(by: string, topics: readonly string[]): void {
    if (topics.length === 0) this.#wanted.delete(by);
    else this.#wanted.set(by, topics);
    const all = [...new Set([...this.#wanted.values()].flat())].toSorted().slice(0, maxTopics);
    if (all.join() === this.#topics.join()) return post({ kind: 'live', topics: [...live] });
    this.#topics = all;
    this.#open();
  }

  #open(): void {
    this.#stop();
    this.#live(false);
    const topics = this.#topics;
    if (topics.length === 0 || session.get() === null) return;
    this.#stop = readStream({
      topics,
      onEvent: (told) => {
        tell(told);
        post({ kind: 'told', told });
      },
      onLive: (isLive) => this.#live(isLive),
    });
  }

  #live(isLive: boolean): void {
    const topics = isLive ? this.#topics : [];
    if (topics.join() === [...live].join()) return;
    setLive(topics);
    post({ kind: 'live', topics });
  }
}

/** As many as a stream may have. */
const maxTopics = 100;
