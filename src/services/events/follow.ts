import type { DataSource } from 'typeorm';
import { maskedAnswer, personalScope } from '../../contract/personal.ts';
import { existsRow } from '../../db/rows.ts';
import { agents } from '../../db/tables/agents.ts';
import { calls } from '../../db/tables/calls.ts';
import { campaigns } from '../../db/tables/campaigns.ts';
import { directories } from '../../db/tables/directories.ts';
import { AppError, NotFoundError, UnavailableError } from '../../domain/errors.ts';
import { topicName, type Topic } from '../../domain/events/topics.ts';
import { guarded } from '../../runtime/guarded.ts';
import { may, type ServiceContext } from '../kernel/index.ts';
import type { EventHub, Message, Subscription } from './hub.ts';
import { toldSchemas } from './told.ts';

const heartbeatMs = 15_000;
/** How long the check of the follower's rights is good although they may have changed. */
const rightsMs = 1000;
/** And how long although they have not, because a session ends that nobody uses. */
const standingMs = 60_000;
const maxQueued = 1000;

export interface FollowInput {
  topics: readonly Topic[];
  /** Id of the last message that the client has. */
  after: string | undefined;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** The client with the rights that it has now. Throws what its next request would be refused with. */
  again: () => Promise<ServiceContext>;
}

/**
 * The text of a stream of events (contract 6.11), piece by piece. Throws NotFoundError for a topic of another
 * organization, and LimitError for too many streams.
 */
export async function followEvents(
  ctx: ServiceContext,
  { hub, input }: { hub: EventHub; input: FollowInput },
): Promise<AsyncGenerator<string>> {
  for (const topic of input.topics) await requireOwn(ctx, topic);
  const queue = new Queue(input.signal);
  const subscription = hub.subscribe({
    organizationId: ctx.organizationId,
    owner: ownerOf(ctx),
    actor: ctx.actor,
    topics: input.topics,
    push: (message) => queue.push(message),
  });
  // The stream of a client that has disconnected may never be read.
  const onFault = (error: unknown) => ctx.log.error({ err: error }, 'A stream of events could not be closed');
  input.signal.addEventListener(
    'abort',
    guarded(() => subscription.close(), onFault),
    { once: true },
  );
  try {
    const first = await firstMessages(subscription, input.after);
    return stream({ ctx, input, subscription, queue, first });
  } catch (error) {
    subscription.close();
    throw error;
  }
}

async function requireOwn({ db, organizationId }: ServiceContext, topic: Topic): Promise<void> {
  // guarantee: streams-tell-only-of-own-calls
  if (topic.kind !== 'org' && !(await exists[topic.kind](db, { id: topic.id, organizationId })))
    throw new NotFoundError(`Topic ${topicName(topic)}: there is no such ${topic.kind}`);
}

const exists = {
  call: (db: DataSource, where: Own) => existsRow(db, calls, where),
  campaign: (db: DataSource, where: Own) => existsRow(db, campaigns, where),
  directory: (db: DataSource, where: Own) => existsRow(db, directories, where),
  agent: (db: DataSource, where: Own) => existsRow(db, agents, where),
};

interface Own {
  id: number;
  organizationId: number;
}

const ownerOf = ({ actor }: ServiceContext): string => {
  switch (actor.kind) {
    case 'api_key':
      return `key ${actor.apiKeyId}`;
    case 'user':
      return `user ${actor.userId}`;
    case 'system':
      return actor.name;
  }
};

interface First {
  isReset: boolean;
  messages: Message[];
}

async function firstMessages({ begin, resume }: Subscription, after: string | undefined): Promise<First> {
  const resumed = after === undefined ? null : await resume(after);
  return resumed === null
    ? { isReset: after !== undefined, messages: await begin() }
    : { isReset: false, messages: resumed };
}

interface Stream {
  ctx: ServiceContext;
  input: FollowInput;
  subscription: Subscription;
  queue: Queue;
  first: First;
}

async function* stream({ ctx, input, subscription, queue, first }: Stream): AsyncGenerator<string> {
  const rights = new Rights(ctx, { again: input.again, stands: subscription.stands });
  const { begin, place, close } = subscription;
  const reset = () => written({ id: place(), event: 'reset', data: {} });
  try {
    yield `retry: 2000\n${written({ id: place(), event: 'ready', data: { topics: input.topics.map(topicName) } })}`;
    if (first.isReset) yield reset();
    for (const message of first.messages) yield told(message, ctx);
    while (!input.signal.aborted) {
      const next = await queue.next(heartbeatMs);
      if (next === 'over') return;
      const seeing = await rights.check();
      if (seeing === 'refused') return yield written({ id: place(), event: 'end', data: {} });
      if (next === 'rights') continue;
      if (next === 'nothing') yield ': no news\n\n';
      else if (next === 'missed') {
        yield reset();
        for (const message of await begin()) yield told(message, seeing);
      } else yield told(next, seeing);
    }
  } finally {
    close();
  }
}

function told({ id, event, data }: Message, { actor }: ServiceContext): string {
  const shown = may(actor, personalScope) ? data : maskedAnswer(toldSchemas[event], data);
  return written({ id, event, data: shown });
}

const written = ({ id, event, data }: { id: string; event: string; data: unknown }): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** What the client may see, asked again once the answer is old. */
class Rights {
  #ctx: ServiceContext;
  readonly #again: FollowInput['again'];
  readonly #stands: Subscription['stands'];
  #checkedMs: number;

  constructor(
    ctx: ServiceContext,
    { again, stands }: Pick<FollowInput, 'again'> & Pick<Subscription, 'stands'>,
  ) {
    this.#ctx = ctx;
    this.#again = again;
    this.#stands = stands;
    this.#checkedMs = ctx.clock.now().getTime();
  }

  /** Throws UnavailableError: the stream of a client that cannot be checked breaks off. */
  async check(): Promise<ServiceContext | 'refused'> {
    const { clock, organizationId } = this.#ctx;
    const nowMs = clock.now().getTime();
    const ageMs = nowMs - this.#checkedMs;
    if (ageMs < rightsMs || (ageMs < standingMs && this.#stands(this.#checkedMs))) return this.#ctx;
    try {
      // guarantee: lost-rights-end-a-stream
      const ctx = await this.#again();
      if (ctx.organizationId !== organizationId) return 'refused';
      this.#ctx = ctx;
      this.#checkedMs = nowMs;
      return ctx;
    } catch (error) {
      if (error instanceof AppError && !(error instanceof UnavailableError)) return 'refused';
      throw error;
    }
  }
}

/** Messages on their way to one client. Of a client that is too slow it says that messages are missing. */
class Queue {
  #messages: (Message | 'missed' | 'rights' | 'over')[] = [];
  #arrived = Promise.withResolvers<void>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#arrived.resolve(), { once: true });
  }

  push(message: Message | 'rights' | 'over'): void {
    // guarantee: slow-stream-is-bounded
    if (this.#messages.length >= maxQueued) this.#messages = ['missed'];
    else if (this.#messages[0] !== 'missed' || message === 'over') this.#messages.push(message);
    this.#arrived.resolve();
  }

  /** Waits for a message, up to `patienceMs`. */
  async next(patienceMs: number): Promise<Message | 'missed' | 'rights' | 'over' | 'nothing'> {
    const { promise, resolve } = (this.#arrived = Promise.withResolvers<void>());
    const timer = setTimeout(resolve, patienceMs);
    if (this.#messages.length === 0 && !this.#signal.aborted) await promise;
    clearTimeout(timer);
    return this.#signal.aborted ? 'over' : (this.#messages.shift() ?? 'nothing');
  }
}
