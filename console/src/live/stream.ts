import { createParser } from 'eventsource-parser';
import { prefix } from '../app/api.ts';
import { session } from '../app/session.ts';

/** What the stream of events says of a topic (contract 6.11). */
export interface StreamEvent {
  event: (typeof toldEvents)[number];
  data: Record<string, unknown>;
}

const toldEvents = ['call', 'calls', 'campaign', 'directory', 'agent'] as const;

interface Reading {
  topics: readonly string[];
  onEvent: (event: StreamEvent) => void;
  /** Whether the stream has said something lately. */
  onLive: (isLive: boolean) => void;
}

/** The service says something at least every 15 s. */
const quietMs = 20_000;
const firstPauseMs = 1000;
const maxPauseMs = 30_000;

/**
 * Reads a stream of events until it is stopped. A stream that breaks off is opened again where it ended, after a pause
 * that grows. A person who may not read gets none.
 */
export function readStream({ topics, onEvent, onLive }: Reading): () => void {
  const over = new AbortController();
  void read({ topics, onEvent, onLive }, over.signal);
  return () => over.abort();
}

async function read({ topics, onEvent, onLive }: Reading, over: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  let pauseMs = firstPauseMs;
  while (!over.aborted) {
    const outcome = await readOnce(
      { topics, lastId, over },
      {
        onId: (id) => (lastId = id),
        onEvent: (event) => {
          pauseMs = firstPauseMs;
          onLive(true);
          onEvent(event);
        },
        onLive,
      },
    );
    onLive(false);
    if (outcome === 'refused') return;
    await pause(pauseMs, over);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
}

interface Hearing extends Pick<Reading, 'onEvent' | 'onLive'> {
  onId: (id: string) => void;
}

async function readOnce(
  { topics, lastId, over }: { topics: readonly string[]; lastId: string | undefined; over: AbortSignal },
  { onId, onEvent, onLive }: Hearing,
): Promise<'refused' | 'broken'> {
  const quiet = new AbortController();
  const token = session.get()?.token;
  let timer = setTimeout(() => quiet.abort(), quietMs);
  let hasEnded = false;
  const parser = createParser({
    onEvent: ({ id, event: name, data }) => {
      if (id !== undefined) onId(id);
      if (name === 'ready') onLive(true);
      if (name === 'end') hasEnded = true;
      const event = toldEvents.find((each) => each === name);
      if (event !== undefined) onEvent({ event, data: JSON.parse(data) as Record<string, unknown> });
    },
  });
  try {
    const { status, body } = await fetch(`${prefix}/events?topics=${topics.join(',')}`, {
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      signal: AbortSignal.any([over, quiet.signal]),
    });
    // 429: the person has as many streams as they may have, and one may end.
    if (status !== 200) return status === 429 || status >= 500 ? 'broken' : 'refused';
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done = true, value = '' } = (await reader?.read()) ?? {};
      if (done) return hasEnded ? 'refused' : 'broken';
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), quietMs);
      parser.feed(value);
    }
  } catch {
    return 'broken'; // the service is away, or the stream was silent
  } finally {
    clearTimeout(timer);
  }
}

const pause = (ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    over.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
