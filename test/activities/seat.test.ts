import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createSeatActivities, type SeatHost } from '../../src/activities/seat.ts';
import { noMetrics } from '../../src/runtime/metrics.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { registerHost, renewLease } from '../../src/services/media/index.ts';
import { createTestDatabase, databases, testSecrets, type TestDatabase } from '../support/database.ts';

describe.each(databases)('a media host that is full, on %s', (kind) => {
  let database: TestDatabase;
  const [full, roomy] = [randomUUID(), randomUUID()];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    for (const id of [full, roomy])
      await registerHost({
        db: database.db,
        host: {
          id,
          hostQueue: `queue-of-${id}`,
          publicUrl: 'ws://media.test',
          probeUrl: 'http://media.test',
          maxCalls: 2,
        },
      });
    await renewLease({ db: database.db, host: { id: full, isDraining: false, liveCalls: 2 } });
  });
  afterAll(async () => await database.drop());

  const closed: SeatHost = {
    hostId: full,
    hostQueue: `queue-of-${full}`,
    isOpen: () => false,
    hasRoom: () => true,
    holds: () => false,
    keep: () => true,
    release: () => undefined,
  };
  const claim = (host = closed, generation = 1) =>
    createSeatActivities({
      host,
      metrics: noMetrics,
      db: database.db,
      secrets: testSecrets,
      clock: systemClock,
    }).claimSeat({ callId: 1, organizationId: 1, generation });

  test('names a host with free seats, or none when all hosts are full', async () => {
    await renewLease({ db: database.db, host: { id: roomy, isDraining: false, liveCalls: 0 } });
    expect(await claim()).toEqual({ kind: 'full', elsewhere: `queue-of-${roomy}` });
    await renewLease({ db: database.db, host: { id: roomy, isDraining: true, liveCalls: 0 } });
    expect(await claim()).toEqual({ kind: 'full' });
  });

  // guarantee: late-host-takes-live-calls
  test('takes a call that is already live while no other host has a free seat, even if it is late itself', async () => {
    const taken = expect.objectContaining({ message: expect.stringContaining('does not exist') }); // further than the door
    await renewLease({ db: database.db, host: { id: roomy, isDraining: false, liveCalls: 0 } });
    expect(await claim(closed, 2)).toMatchObject({ kind: 'full' });
    await renewLease({ db: database.db, host: { id: roomy, isDraining: true, liveCalls: 0 } });
    await expect(claim(closed, 2)).rejects.toEqual(taken);
    expect(await claim({ ...closed, hasRoom: () => false }, 2)).toEqual({ kind: 'full' });
  });

  test('confirms a seat that the call already has', async () => {
    await expect(claim({ ...closed, isOpen: (call) => call?.callId === 1 })).rejects.toThrow(
      'does not exist',
    ); // further than the door
  });
});
