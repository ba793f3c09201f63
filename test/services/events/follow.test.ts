import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomIds } from '../../../src/runtime/ids.ts';
import { followEvents, type EventHub } from '../../../src/services/events/index.ts';
import type { ServiceContext } from '../../../src/services/kernel/index.ts';
import { testSecrets } from '../../support/database.ts';

type Following = Parameters<EventHub['subscribe']>[0];
const told = (id: number) =>
  ({ id: `1-${id}`, event: 'calls', data: { calls: [] } }) satisfies Parameters<Following['push']>[0];

/** A stream of a hub that pushes what the test says. */
async function begin() {
  const following: Following[] = [];
  let closed = 0;
  const hub: EventHub = {
    subscribe: (each) => {
      following.push(each);
      return {
        begin: () => Promise.resolve([told(0)]),
        resume: () => Promise.resolve(null),
        place: () => '1-0',
        stands: () => false,
        close: () => (closed += 1),
      };
    },
    stop: () => Promise.resolve(),
  };
  const ctx: ServiceContext = {
    organizationId: 1,
    actor: { kind: 'api_key', apiKeyId: 1, userId: 1, scopes: null },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stream of an organization reads nothing itself
    db: {} as DataSource,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
    secrets: testSecrets,
  };
  const disconnect = new AbortController();
  const pieces = await followEvents(ctx, {
    hub,
    input: {
      topics: [{ kind: 'org' }],
      after: undefined,
      signal: disconnect.signal,
      again: () => Promise.resolve(ctx),
    },
  });
  const next = async () => /^event: (\w+)$/m.exec((await pieces.next()).value ?? '')?.[1];
  const push: Following['push'] = (message) => following[0]?.push(message);
  return { next, push, disconnect: () => disconnect.abort(), closed: () => closed };
}

// guarantee: slow-stream-is-bounded
test('a client that reads too slowly is told that events are missing, then what each topic has come to', async () => {
  const { next, push } = await begin();
  expect([await next(), await next()]).toEqual(['ready', 'calls']);
  for (let id = 1; id <= 5000; id += 1) push(told(id));
  expect([await next(), await next()]).toEqual(['reset', 'calls']);
  push(told(5001));
  expect(await next()).toBe('calls');
  push('over');
  expect(await next()).toBeUndefined();
});

test('a client that disconnects before it has read anything leaves no stream behind', async () => {
  const { disconnect, closed } = await begin();
  disconnect();
  expect(closed()).toBe(1);
});
