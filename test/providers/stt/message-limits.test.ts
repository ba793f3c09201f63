import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import type { SttEvent, SttSession } from '../../../src/providers/stt/port.ts';
import {
  defaultSttTiming,
  openSocketSession,
  type SttProtocol,
} from '../../../src/providers/stt/socket-session.ts';
import { portOf } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const maxMessageBytes = 1024 * 1024;

let server: WebSocketServer;
let sessions: SttSession[];
beforeEach(async () => {
  sessions = [];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of server.clients) socket.terminate();
  await Promise.all(sessions.map((session) => session.close()));
  server.close();
  await once(server, 'close');
});

/** Each message is a segment with its beginning. */
const protocol: SttProtocol = {
  hello: [],
  audio: ({ buffer }) => Buffer.from(buffer),
  finalize: 'finalize',
  goodbye: null,
  keepAlive: null,
  read: (message) => [{ kind: 'interim', segmentId: '1', text: String(message).slice(0, 5) }],
};

interface Heard {
  /** The recognizer sends one message of that many bytes. */
  say: (bytes: number) => void;
  /** All events of the session, once there are that many. */
  told: (count: number) => Promise<SttEvent[]>;
}

async function openSession(): Promise<Heard> {
  const events: SttEvent[] = [];
  const connected = once(server, 'connection');
  sessions.push(
    openSocketSession({
      url: `ws://127.0.0.1:${portOf(server)}`,
      headers: {},
      agent: undefined,
      protocolOf: () => protocol,
      options: {
        sampleRate: 8000,
        language: 'en',
        model: null,
        keyTerms: [],
        onEvent: (event) => events.push(event),
      },
      timing: defaultSttTiming,
      onDropped: () => undefined,
    }),
  );
  const [socket] = await connected;
  return {
    say: (bytes) => socket.send(JSON.stringify('a'.repeat(bytes - 2))),
    told: (count) => until(`event ${count}`, () => Promise.resolve(events.length >= count && events)),
  };
}

const opened = { kind: 'interim', segmentId: '', text: '' };
const understood = { kind: 'interim', segmentId: '1', text: 'aaaaa' };

test("a recognizer's message over 1 MiB ends its own session with a fault that allows another one", async () => {
  const [one, other] = [await openSession(), await openSession()];
  one.say(maxMessageBytes);
  expect(await one.told(2)).toEqual([opened, understood]);
  one.say(maxMessageBytes + 1);
  expect(await one.told(4)).toMatchObject([
    opened,
    understood,
    {
      kind: 'fault',
      error: { retryable: true, reason: 'lost', cause: { code: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' } },
    },
    { kind: 'closed' },
  ]);
  other.say(100);
  expect(await other.told(2)).toEqual([opened, understood]);
});
