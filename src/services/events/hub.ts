import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import { LimitError } from '../../domain/errors.ts';
import { topicName, type Topic } from '../../domain/events/topics.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { repeat } from '../../runtime/repeat.ts';
import type { Actor } from '../kernel/index.ts';
import { callReader } from './calls.ts';
import { agentReader, campaignReader, directoryReader } from './facts.ts';
import { callsReader } from './organizations.ts';
import { Standings } from './standings.ts';
import type { News, Reader, Told } from './told.ts';

/** A message of a stream. `id` is where a client resumes after it. */
export type Message = Told & { id: string };

/** What a stream wants of the hub. */
export interface Following {
  organizationId: number;
  topics: readonly Topic[];
  /** The key or user whose streams are counted. */
  owner: string;
  /** Who follows. */
  actor: Actor;
  /** Gets each message, in order, `rights` when what the follower may do has changed, and `over` when the process stops. */
  push: (message: Message | 'rights' | 'over') => void;
}

export interface Subscription {
  /** What each topic has come to; later messages are pushed. */
  begin: () => Promise<Message[]>;
  /** The messages since the one with this id, or null if some may be missing; later messages are pushed. */
  resume: (after: string) => Promise<Message[] | null>;
  /** Where a client would resume now. */
  place: () => string;
  /** Whether nothing has changed what the follower may do, since it was asked at `askedMs`. */
  stands: (askedMs: number) => boolean;
  /** May be called again. */
  close: () => void;
}

export interface EventHub {
  /** Throws LimitError when the owner has as many streams as it may have. */
  subscribe: (following: Following) => Subscription;
  stop: () => Promise<void>;
}

const pollMs = 700;
/** How long messages are kept for clients that come back, and topics are read for them. */
const keptMs = 60_000;
const maxStreams = 5;

interface Watched {
  topic: Topic;
  organizationId: number;
  followers: Set<Following>;
  sinceMs: number;
  /** When the last follower left; null while there is one. */
  leftMs: number | null;
  /** As its reader left it; null before the first time. */
  seen: unknown;
}

/**
 * The events of all streams of a process (contract 6.11). One poller reads the topics that somebody follows, all in a
 * few statements, however many follow them.
 */
export function createEventHub({ db, clock, log }: { db: DataSource; clock: Clock; log: Logger }): EventHub {
  return new Hub(db, clock, log);
}

class Hub implements EventHub {
  readonly #clock: Clock;
  readonly #readers: Readonly<Record<Topic['kind'], Reader<unknown>>>;
  readonly #watched = new Map<string, Watched>();
  readonly #streams = new Map<string, number>();
  readonly #standings: Standings;
  /** The messages of the last minute, with the names of their topics. */
  #kept: { message: Message; name: string; atMs: number; number: number }[] = [];
  /** Ids of different processes differ by where their numbers begin. */
  readonly #first: number;
  #number: number;
  #isOver = false;
  /** What the poller and new streams read is read in turn, so that nobody gets a message that is older than the last. */
  readonly #inTurn = pLimit(1);
  readonly #poller: { stop: () => Promise<void> };

  constructor(db: DataSource, clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#standings = new Standings(db, clock);
    this.#readers = {
      org: erased(callsReader(db)),
      call: erased(callReader(db)),
      campaign: erased(campaignReader(db, clock)),
      directory: erased(directoryReader(db)),
      agent: erased(agentReader(db)),
    };
    this.#first = Math.floor(Math.random() * 2 ** 40) * 1000;
    this.#number = this.#first;
    const work = () => this.#inTurn(() => this.#poll());
    this.#poller = repeat({ what: 'reading the events of streams', pauseMs: pollMs, work, log });
  }

  subscribe(following: Following): Subscription {
    const { owner, push } = following;
    if (this.#isOver) push('over');
    const streams = this.#streams.get(owner) ?? 0;
    if (streams >= maxStreams)
      throw new LimitError(`There are already ${maxStreams} streams of this key or user; close one`, {
        retryAfterMs: 1000,
      });
    this.#streams.set(owner, streams + 1);
    this.#standings.add(following);
    let isOpen = true;
    return {
      begin: () => this.#inTurn(() => this.#begin(following)),
      resume: (after) => this.#inTurn(() => Promise.resolve(this.#resume(following, after))),
      place: () => this.#idNow(),
      stands: (askedMs) => this.#standings.stands(following, askedMs),
      close: () => {
        if (isOpen) this.#leave(following);
        isOpen = false;
      },
    };
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
    this.#isOver = true;
    for (const { followers } of this.#watched.values()) for (const { push } of followers) push('over');
  }

  async #begin(following: Following): Promise<Message[]> {
    const { organizationId, topics } = following;
    const news = await this.#read(topics.map((topic) => ({ topic, organizationId, seen: null })));
    return topics.flatMap((topic, index) => {
      const found = news[index];
      const watched = this.#join(following, topic);
      if (found === null || found === undefined) return [];
      watched.seen ??= found.seen;
      return found.told === null ? [] : [{ id: this.#idNow(), ...found.told }];
    });
  }

  #resume(following: Following, after: string): Message[] | null {
    const { organizationId, topics } = following;
    const [ms, number] = after.split('-').map(Number);
    const nowMs = this.#clock.now().getTime();
    const wasWatched = topics.every((topic) => {
      const watched = this.#watched.get(nameOf(organizationId, topic));
      return watched !== undefined && watched.seen !== null && watched.sinceMs <= Number(ms);
    });
    if (ms === undefined || number === undefined || nowMs - ms > keptMs || !wasWatched) return null;
    if (!(number >= this.#first && number <= this.#number)) return null;
    const names = new Set(topics.map((topic) => nameOf(organizationId, topic)));
    for (const topic of topics) this.#join(following, topic);
    return this.#kept
      .filter((each) => names.has(each.name) && each.number > number)
      .map(({ message }) => message);
  }

  #join(following: Following, topic: Topic): Watched {
    const { organizationId } = following;
    const name = nameOf(organizationId, topic);
    const sinceMs = this.#clock.now().getTime();
    const watched: Watched = this.#watched.get(name) ?? {
      topic,
      organizationId,
      followers: new Set(),
      sinceMs,
      leftMs: null,
      seen: null,
    };
    watched.followers.add(following);
    watched.leftMs = null;
    this.#watched.set(name, watched);
    return watched;
  }

  #leave(following: Following): void {
    const { owner, organizationId, topics } = following;
    this.#standings.delete(following);
    const streams = (this.#streams.get(owner) ?? 1) - 1;
    if (streams === 0) this.#streams.delete(owner);
    else this.#streams.set(owner, streams);
    for (const topic of topics) {
      const watched = this.#watched.get(nameOf(organizationId, topic));
      watched?.followers.delete(following);
      if (watched?.followers.size === 0) watched.leftMs = this.#clock.now().getTime();
    }
  }

  async #poll(): Promise<void> {
    const oldestMs = this.#clock.now().getTime() - keptMs;
    this.#kept = this.#kept.filter(({ atMs }) => atMs > oldestMs);
    for (const [name, { leftMs }] of this.#watched)
      if (leftMs !== null && leftMs < oldestMs) this.#watched.delete(name);
    await this.#standings.read();
    const all = [...this.#watched];
    const news = await this.#read(all.map(([, watched]) => watched));
    for (const [index, [name, watched]] of all.entries()) {
      const found = news[index];
      if (found === null || found === undefined) continue;
      watched.seen = found.seen;
      if (found.told !== null) this.#tell(name, watched, found.told);
    }
  }

  #tell(name: string, { followers }: Watched, told: Told): void {
    this.#number += 1;
    const message: Message = { id: this.#idNow(), ...told };
    this.#kept.push({ message, name, atMs: this.#clock.now().getTime(), number: this.#number });
    for (const { push } of followers) push(message);
  }

  /** One entry for each, null if nothing is new. */
  async #read(
    wanted: readonly Pick<Watched, 'topic' | 'organizationId' | 'seen'>[],
  ): Promise<(News<unknown> | null)[]> {
    const found = new Map<object, News<unknown> | null>();
    for (const [kind, each] of Map.groupBy(wanted, ({ topic }) => topic.kind)) {
      const news = await this.#readers[kind](
        each.map(({ topic, organizationId, seen }) => ({
          organizationId,
          id: topic.kind === 'org' ? organizationId : topic.id,
          seen,
        })),
      );
      for (const [index, one] of each.entries()) found.set(one, news[index] ?? null);
    }
    return wanted.map((each) => found.get(each) ?? null);
  }

  #idNow(): string {
    return `${this.#clock.now().getTime()}-${this.#number}`;
  }
}

const nameOf = (organizationId: number, topic: Topic): string => `${organizationId} ${topicName(topic)}`;

/** A reader is only ever given what it has left itself. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the topic, and so its reader, stays the same
const erased = <Seen>(reader: Reader<Seen>): Reader<unknown> => reader as Reader<unknown>;
