import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { admitCall } from '../../../src/services/calls/index.ts';
import { calls } from '../../../src/db/tables/calls.ts';
import { callSeats } from '../../../src/db/tables/call-seats.ts';
import { mediaHosts } from '../../../src/db/tables/media-hosts.ts';
import { timeoutsMs } from '../../../src/domain/declaration.ts';
import type { Identity } from '../../../src/runtime/identity.ts';
import { createTickets } from '../../../src/providers/secrets/tickets.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import {
  claimSeat,
  HostWatch,
  findOvertaken,
  endLease,
  issueWebCallToken,
  noteMedia,
  openStream,
  readWebCallToken,
  registerHost,
  releaseSeat,
  renewLease,
  streamUrl,
  type SeatDeps,
  type TellSeatLost,
} from '../../../src/services/media/index.ts';
import { conversationDeps } from '../../support/admitted-call.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  bothDatabases,
  testSecrets,
  type TestDatabase,
} from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { endCall, insertPhoneCall, type PhoneCall } from '../../support/media/phone-call.ts';

describe.each(bothDatabases)('seats of live calls on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let deps: SeatDeps;
  let call: PhoneCall;
  let hostId: string;
  let began: [string, { at: string }][];
  let noting: Parameters<typeof noteMedia>[0]['deps'];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    deps = { db: database.db, secrets: testSecrets, clock: ctx.clock };
    noting = {
      ...deps,
      calls: { mediaBegan: (...told) => Promise.resolve(began.push(told)).then(() => 'delivered') },
    };
  });
  afterAll(async () => await database.drop());
  beforeEach(async () => {
    await database.db.getRepository(mediaHosts).deleteAll();
    call = await insertPhoneCall(ctx);
    hostId = await newHost();
    began = [];
  });

  async function newHost(): Promise<string> {
    const id = randomUUID();
    await registerHost({
      db: database.db,
      host: {
        id,
        hostQueue: `parlance-media-${id}`,
        publicUrl: 'ws://media.test',
        probeUrl: id,
        maxCalls: 10,
      },
    });
    return id;
  }
  /** Makes the host's last renewal that long ago. */
  const silentFor = async (ms: number, id = hostId) =>
    await database.db.query(
      `UPDATE media_hosts SET lease_expires_at = UTC_TIMESTAMP(6) + INTERVAL ${(timeoutsMs.mediaLease - ms) * 1000} MICROSECOND WHERE id = ?`,
      [id],
    );
  const renew = async (id = hostId, isDraining = false, liveCalls = 1) =>
    await renewLease({ db: database.db, host: { id, isDraining, liveCalls } });
  const at = (generation: number) => ({
    callId: call.callId,
    organizationId: call.organizationId,
    generation,
  });
  const claim = (generation: number, host = hostId) =>
    claimSeat({ deps, input: at(generation), hostId: host });
  async function openAtHost(
    generation: number,
    changes: Partial<Parameters<typeof openStream>[0]['input']> = {},
    host = hostId,
  ) {
    const url = new URL(await streamUrl({ deps, input: at(generation) }));
    const [agentId = 0, organizationId = 0, callId = 0] = url.pathname.split('/').slice(5, 8).map(Number);
    return await openStream({
      deps,
      input: { agentId, organizationId, callId, token: url.pathname.split('/')[8] ?? '', ...changes },
      hostId: host,
    });
  }
  /** A worker's watch. Its hosts answer with their own id unless `answers` says otherwise. */
  function startWatch() {
    const answers = new Map<string, Identity>();
    const reported: { callUuid: string; generation: number }[] = [];
    let nowMs = 0;
    let tell: TellSeatLost = (each) => Promise.resolve(void reported.push(each));
    const watch = new HostWatch({
      db: database.db,
      log: pino({ level: 'silent' }),
      ask: (id) => Promise.resolve(answers.get(id) ?? { kind: 'answered', id }),
      tell: (each) => tell(each),
      nowMs: () => nowMs,
    });
    return {
      answers,
      passes: (ms: number) => (nowMs += ms),
      tellsBy: (next: TellSeatLost) => (tell = next),
      async look() {
        reported.length = 0;
        await watch.look();
        return reported.filter(({ callUuid }) => callUuid === call.callUuid);
      },
    };
  }
  const silence = timeoutsMs.mediaHostSilence;

  // guarantee: stream-token-admits-once
  test('accept one stream each, even if several arrive with the token at once', async () => {
    await claim(1);
    const answers = await Promise.all([openAtHost(1), openAtHost(1), openAtHost(1), openAtHost(1)]);
    expect(answers.filter(({ kind: outcome }) => outcome === 'opened')).toEqual([
      { kind: 'opened', generation: 1 },
    ]);
    expect(answers.filter(({ kind: outcome }) => outcome === 'refused')).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'refused', reason: 'taken' })),
    );
  });

  test('refuse a wrong token, another call, another organization, and another host', async () => {
    await claim(1);
    const other = await insertPhoneCall(await createTestContext(database.db));
    expect(await openAtHost(1, { token: 'f'.repeat(48) })).toEqual({
      kind: 'refused',
      reason: 'wrong_token',
    });
    expect(await openAtHost(1, { token: '' })).toEqual({ kind: 'refused', reason: 'wrong_token' });
    expect(await openAtHost(1, { callId: other.callId })).toEqual({ kind: 'refused', reason: 'unknown' });
    expect(await openAtHost(1, { organizationId: other.organizationId })).toEqual({
      kind: 'refused',
      reason: 'unknown',
    });
    expect(await openAtHost(1, { agentId: other.agentId })).toEqual({ kind: 'refused', reason: 'unknown' });
    expect(await openAtHost(1, {}, await newHost())).toEqual({ kind: 'refused', reason: 'taken' });
    expect(await openAtHost(1)).toEqual({ kind: 'opened', generation: 1 });
  });

  test('refuse streams once the call has ended or the seat was released', async () => {
    await claim(1);
    await releaseSeat({ deps, input: at(1) });
    await expect(openAtHost(1)).rejects.toThrow('no longer belongs');
    await claim(2);
    const url = await streamUrl({ deps, input: at(2) });
    await endCall(ctx, call);
    expect(
      await openStream({
        deps,
        input: { ...call, token: new URL(url).pathname.split('/').at(-1) ?? '' },
        hostId,
      }),
    ).toEqual({ kind: 'refused', reason: 'taken' });
  });

  // guarantee: older-generation-cannot-hold-call
  test('of a higher generation invalidate lower generations, which can never claim them back', async () => {
    await claim(1);
    const old = new URL(await streamUrl({ deps, input: at(1) })).pathname.split('/').at(-1) ?? '';
    const [there, held] = [await newHost(), [{ callId: call.callId, generation: 1 }]];
    expect(await findOvertaken({ deps, hostId, held })).toEqual([]);
    await claim(2, there);
    expect(await openStream({ deps, input: { ...call, token: old }, hostId })).toEqual({
      kind: 'refused',
      reason: 'wrong_token',
    });
    expect(await findOvertaken({ deps, hostId, held })).toEqual([
      { callId: call.callId, generation: 1, kind: 'overtaken' },
    ]);
    await expect(claim(1)).rejects.toThrow('newer seat');
    await expect(streamUrl({ deps, input: at(1) })).rejects.toThrow('no longer belongs');
    expect(await openAtHost(2, {}, there)).toEqual({ kind: 'opened', generation: 2 });
  });

  test('move to the last claimer when the same generation is claimed again', async () => {
    const second = await newHost();
    await claim(1);
    await claim(1, second);
    expect(await findOvertaken({ deps, hostId, held: [at(1)] })).toMatchObject([{ kind: 'overtaken' }]);
    expect(await openAtHost(1, {}, second)).toEqual({ kind: 'opened', generation: 1 });
  });

  test('are refused to a call that is over or of another organization', async () => {
    const other = await createTestContext(database.db);
    await expect(
      claimSeat({ deps, input: { ...at(1), organizationId: other.organizationId }, hostId }),
    ).rejects.toThrow('does not exist');
    await endCall(ctx, call);
    await expect(claim(1)).rejects.toThrow('over');
  });

  test('report their release to the host; releasing an older seat does not release a newer one', async () => {
    await claim(1);
    await releaseSeat({ deps, input: at(2) });
    expect(await findOvertaken({ deps, hostId, held: [at(1)] })).toEqual([]);
    await releaseSeat({ deps, input: at(1) });
    expect(await findOvertaken({ deps, hostId, held: [at(1)] })).toMatchObject([{ kind: 'released' }]);
  });

  test('keep the times at which their call moved to another host', async () => {
    const moves = async () =>
      (await database.db.getRepository(callSeats).findOneByOrFail({ callId: call.callId })).moves;
    await claim(1);
    await claim(1);
    expect(await moves()).toBeNull();
    await claim(2);
    await claim(3);
    await claim(3);
    expect(await moves()).toEqual([expect.any(String), expect.any(String)]);
  });

  // guarantee: media-start-wakes-the-call
  test('keep the time when media first began, across generations', async () => {
    await claim(1);
    const [first, second] = [new Date('2026-11-21T10:00:00.000Z'), new Date('2026-11-21T10:05:00.000Z')];
    await noteMedia({ deps: noting, input: { ...at(1), at: first } });
    await claim(2);
    await noteMedia({ deps: noting, input: { ...at(2), at: second } });
    expect(await database.db.getRepository(callSeats).findOneByOrFail({ callId: call.callId })).toMatchObject(
      { generation: 2, mediaBeganAt: first },
    );
    expect(began[0]).toEqual([call.callUuid, { at: first.toISOString() }]);
  });

  test('wake their call and record it even if one of both failed before', async () => {
    await claim(1);
    let isAway = true;
    const note = () =>
      noteMedia({
        deps: {
          ...noting,
          calls: {
            mediaBegan: (...told) =>
              isAway
                ? Promise.reject(new Error('Temporal is down'))
                : Promise.resolve(began.push(told)).then(() => 'delivered'),
          },
        },
        input: { ...at(1), at: new Date('2026-11-21T10:00:00.000Z') },
      });
    await expect(note()).rejects.toThrow('down');
    const seat = { callId: call.callId };
    await until(
      'the record',
      async () => (await database.db.getRepository(callSeats).findOneByOrFail(seat)).mediaBeganAt !== null,
    );
    isAway = false;
    await note();
    expect(began).toEqual([[call.callUuid, { at: '2026-11-21T10:00:00.000Z' }]]);
  });

  test('tell no incoming call that media began, because it answered itself', async () => {
    await database.db.getRepository(calls).update({ id: call.callId }, { direction: 'inbound' });
    await claim(1);
    await noteMedia({ deps: noting, input: { ...at(1), at: new Date() } });
    expect(began).toEqual([]);
  });

  // guarantee: call-runs-from-first-media
  test('make their call `running` when media begin; a call that is not admitted yet becomes it when it is admitted', async () => {
    const state = async () =>
      (await database.db.getRepository(calls).findOneByOrFail({ id: call.callId })).state;
    const begin = () => noteMedia({ deps: noting, input: { ...at(1), at: new Date() } });
    await claim(1);
    expect(await state()).toBe('admitted');
    await begin();
    expect(await state()).toBe('talking');
    const admit = () =>
      admitCall({
        deps: conversationDeps(ctx),
        input: { callId: call.callId, organizationId: call.organizationId },
      });
    expect(await admit()).toMatchObject({ kind: 'admitted' }); // the Workflow did not get the first answer
    await database.db
      .getRepository(calls)
      .update({ id: call.callId }, { state: 'pending', startedAt: null, channel: 'web' });
    await begin();
    expect(await state()).toBe('pending');
    expect(await admit()).toMatchObject({ kind: 'admitted' });
    expect(await state()).toBe('talking');
    await database.db.getRepository(calls).update({ id: call.callId }, { state: 'ended' });
    await begin();
    expect([await state(), await admit()]).toEqual(['ended', { kind: 'refused' }]);
  });

  test('at a host that ended its lease are reported to their calls until that succeeds', async () => {
    const watch = startWatch();
    await claim(3);
    expect(await watch.look()).toEqual([]);
    await endLease({ db: database.db, hostId });
    watch.tellsBy(() => Promise.reject(new Error('Temporal is down')));
    await expect(watch.look()).rejects.toThrow('down');
    const told: unknown[] = [];
    watch.tellsBy((each) => Promise.resolve(void told.push(each)));
    await watch.look();
    await watch.look();
    expect(told).toEqual([{ callUuid: call.callUuid, generation: 3 }]);
    expect(await renew()).toBe('lost');
  });

  /** What a watch reports that has reached the host before: while its lease is current, and once it is late. */
  async function reportsAbout(identity: Identity) {
    const watch = startWatch();
    await claim(1);
    expect(await watch.look()).toEqual([]);
    watch.answers.set(hostId, identity);
    const current = await watch.look();
    await silentFor(timeoutsMs.mediaLeaseRenewal * 2 + 1);
    return { current, late: await watch.look(), renewal: await renew() };
  }

  // guarantee: dead-media-host-found-at-once
  test('at a host whose address refuses are reported at once, even if no other host has a free seat', async () =>
    expect(await reportsAbout({ kind: 'refused' })).toEqual({
      current: [],
      late: [{ callUuid: call.callUuid, generation: 1 }],
      renewal: 'lost',
    }));

  test('at a host whose address another process has are reported at once', async () =>
    expect(await reportsAbout({ kind: 'answered', id: 'another' })).toMatchObject({
      late: [{ callUuid: call.callUuid }],
      renewal: 'lost',
    }));

  // guarantee: answering-host-is-never-lost
  test('stay at a host that answers, however late its lease is, also beside another host with a free seat', async () => {
    const watch = startWatch();
    await claim(1);
    const there = await newHost();
    for (const ms of [timeoutsMs.mediaLease + 1, silence + 1, 600_000]) {
      await silentFor(ms);
      await renew(there);
      watch.passes(silence);
      expect(await watch.look()).toEqual([]);
    }
    expect(await renew()).toBe('held');
    expect(await openAtHost(1)).toEqual({ kind: 'opened', generation: 1 });
  });

  // guarantee: silent-host-keeps-calls-without-another
  // guarantee: lost-host-cannot-renew-lease
  test('stay at a silent host while no other host has a free seat, and are reported once one has', async () => {
    const watch = startWatch();
    await claim(1);
    const others = { draining: await newHost(), full: await newHost(), late: await newHost() };
    await watch.look();
    await renew(others.draining, true);
    await renew(others.full, false, 10);
    for (const id of [hostId, others.late]) {
      await silentFor(600_000, id);
      watch.answers.set(id, { kind: 'silent' });
    }
    for (const _ of [1, 2, 3]) {
      watch.passes(silence);
      await Promise.all([renew(others.draining, true), renew(others.full, false, 10)]);
      expect(await watch.look()).toEqual([]);
    }
    const there = await newHost(); // as after a restart
    expect(await watch.look()).toEqual([{ callUuid: call.callUuid, generation: 1 }]);
    expect([await renew(), await renew(there)]).toEqual(['lost', 'held']);
  });

  test('stay at a host that was silent for a moment, or that this worker had no time to hear', async () => {
    const watch = startWatch();
    await claim(1);
    const there = await newHost();
    await watch.look();
    await silentFor(600_000);
    const answers = ['silent', 'answered', 'silent', 'unknown', 'silent'] as const;
    for (const kind of answers) {
      watch.answers.set(hostId, kind === 'answered' ? { kind, id: hostId } : { kind });
      watch.passes(silence - 1);
      await renew(there);
      expect(await watch.look()).toEqual([]);
    }
    expect(await renew()).toBe('held');
  });

  test('at a host that this worker has never reached need more than a refusal', async () => {
    const watch = startWatch();
    await claim(1);
    await silentFor(600_000);
    watch.answers.set(hostId, { kind: 'refused' });
    for (const _ of [1, 2, 3]) {
      watch.passes(silence);
      expect(await watch.look()).toEqual([]);
    }
    await newHost();
    expect(await watch.look()).toEqual([{ callUuid: call.callUuid, generation: 1 }]);
  });

  // guarantee: moved-call-stays-moved
  test('that moved to another host stay there when the first host renews its lease', async () => {
    await claim(1);
    await silentFor(timeoutsMs.mediaLease + 1);
    const there = await newHost();
    await claim(2, there);
    expect(await renew()).toBe('held');
    expect(await findOvertaken({ deps, hostId, held: [at(1)] })).toMatchObject([{ kind: 'overtaken' }]);
    await expect(claim(1)).rejects.toThrow('newer seat');
  });

  test('of ended calls and released seats are not reported as lost', async () => {
    await claim(1);
    await endCall(ctx, call);
    await endLease({ db: database.db, hostId });
    expect(await startWatch().look()).toEqual([]);
  });

  test('of browsers open only with a token of that call, for two minutes', () => {
    const [tickets, clock] = [createTickets(testSecrets), createTestClock()];
    const { token } = issueWebCallToken({ tickets, clock, call });
    expect(readWebCallToken({ tickets, clock, token })).toEqual({
      callId: call.callId,
      organizationId: call.organizationId,
      agentId: call.agentId,
    });
    expect(
      readWebCallToken({
        tickets,
        clock,
        token: tickets.seal(JSON.stringify({ use: 'file_upload', expiresAtMs: Number.MAX_SAFE_INTEGER })),
      }),
    ).toBeNull();
    expect(readWebCallToken({ tickets, clock, token: 'nothing' })).toBeNull();
    clock.advance(120_000);
    expect(readWebCallToken({ tickets, clock, token })).toBeNull();
  });
});
