import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { streamReply } from '../../src/api/answers/reply.ts';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';
import { until } from '../support/until.ts';

let pieces: () => AsyncGenerator<string>;
const lines: string[] = [];
let server: ServedApp;
beforeAll(async () => {
  const handlers = {
    ...echoHandlers(),
    downloadWorkflowReport: () => Promise.resolve(streamReply('text/csv', pieces(), { 'X-Test': 'yes' })),
  };
  server = await serveApp(
    createEchoApp({ handlers, log: pino({ level: 'error' }, { write: (line: string) => lines.push(line) }) }),
  );
});
afterAll(() => server.close());

const url = () => `${server.url}/api/v1/workflow/7/report`;
const headers = { 'x-api-key': 'good' };

async function begin(): Promise<IncomingMessage> {
  const request = get(url(), { headers });
  const [answer]: IncomingMessage[] = await once(request, 'response');
  if (answer === undefined) throw new Error('there was no answer');
  return answer;
}

describe('a streamed answer', () => {
  test('arrives complete, with its headers', async () => {
    pieces = async function* () {
      yield 'a';
      yield 'b\n';
    };
    const answer = await fetch(url(), { headers });
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('x-test'),
      await answer.text(),
    ]).toEqual([200, 'text/csv', 'yes', 'ab\n']);
  });

  test('closes the connection on a failure in the middle, so that it does not look complete, and logs the failure once', async () => {
    lines.length = 0;
    pieces = async function* () {
      yield 'a';
      throw new TypeError('broken');
    };
    await expect(fetch(url(), { headers }).then((answer) => answer.text())).rejects.toThrow(/./);
    expect(lines.filter((line) => line.includes('Request failed'))).toHaveLength(1);
  });

  test('becomes an error answer on a failure before the first piece', async () => {
    pieces = async function* () {
      yield await Promise.reject<string>(new TypeError('broken'));
    };
    await expect(fetch(url(), { headers }).then((answer) => answer.text())).resolves.toContain(
      'Internal Server Error',
    );
  });

  test('stops writing to a client that does not read, and ends when the client disconnects', async () => {
    let made = 0;
    let isOver = false;
    pieces = async function* () {
      try {
        for (;;) {
          made += 1;
          yield 'x'.repeat(1024 * 1024);
        }
      } finally {
        isOver = true;
      }
    };
    const answer = await begin();
    answer.pause();
    let before = -1;
    await until('the making to stand still', () => {
      const stands = made === before;
      before = made;
      return Promise.resolve(stands);
    });
    expect(isOver).toBe(false);
    answer.destroy();
    await until('the making to end', () => Promise.resolve(isOver));
  });
});
