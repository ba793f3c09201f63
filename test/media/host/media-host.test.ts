import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import {
  createMediaHost,
  type MediaHost,
  type MediaHostOptions,
} from '../../../src/media/host/media-host.ts';
import { createHold } from '../../../src/media/host/hold.ts';
import { createSessions, type Sessions } from '../../../src/media/sessions.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import type { LostSeat } from '../../../src/services/media/index.ts';
import { quietLimits } from '../../support/media/host.ts';
import { until } from '../../support/until.ts';

const call = (callId: number, generation = 1) => ({ callId, organizationId: 3, generation });
const soon = async (what: string, isTrue: () => boolean) =>
  await until(what, () => Promise.resolve(isTrue()));

describe('a media host', () => {
  let host: MediaHost;
  let sessions: Sessions;
  let lost: boolean;
  let ended: string[];

  function start(options: Partial<MediaHostOptions> = {}, limits = quietLimits): MediaHost {
    lost = false;
    ended = [];
    sessions = createSessions({ limits, onOver: (_session, reason) => ended.push(reason) });
    host = createMediaHost({
      hostId: 'host-1',
      hostQueue: 'queue-1',
      maxCalls: 2,
      sessions,
      loopLag: { read: () => ({ p95Ms: 0, maxMs: 0 }) },
      hold: { isHeld: () => false, renewed: () => undefined },
      log: pino({ level: 'silent' }),
      metrics: noMetrics,
      register: () => Promise.resolve(),
      renewLease: () => Promise.resolve('held'),
      endLease: () => Promise.resolve(),
      findOvertaken: () => Promise.resolve([]),
      onLost: () => {
        lost = true;
      },
      ...options,
    });
    void host.begin();
    return host;
  }
  afterEach(async () => await host.leave());

  test('accepts calls up to its maximum, and again after one has ended', () => {
    start();
    expect([host.keep(call(1)), host.keep(call(2)), host.isOpen()]).toEqual([true, true, false]);
    expect([host.holds(call(1)), host.holds(call(1, 2)), host.holds(call(3))]).toEqual([true, false, false]);
    host.release(call(1));
    expect([host.isOpen(), ended]).toEqual([true, ['released']]);
    expect([host.keep(call(2, 2)), host.keep(call(2, 1))]).toEqual([true, false]);
  });

  test('accepts a call that it has already, even when it is full', () => {
    start();
    expect([host.keep(call(1)), host.keep(call(2))]).toEqual([true, true]);
    expect([host.isOpen(call(3)), host.isOpen(call(2, 2))]).toEqual([false, true]);
    expect([host.keep(call(2, 2)), ended]).toEqual([true, ['fenced']]);
  });

  test('accepts no calls while its event loop is late', async () => {
    let p95Ms = 200;
    start({ loopLag: { read: () => ({ p95Ms, maxMs: 0 }) } });
    await soon('its first look', () => !host.isOpen());
    p95Ms = 1;
    await soon('the loop to be on time', () => host.isOpen());
    expect(host.isOpen()).toBe(true);
  });

  test('accepts no calls once it drains, reports that with its lease, and waits for its last call', async () => {
    const news: boolean[] = [];
    start({ renewLease: ({ isDraining }) => Promise.resolve(news.push(isDraining) > 0 ? 'held' : 'lost') });
    host.keep(call(1));
    await host.drain();
    expect([host.isOpen(), host.isDraining, news.at(-1)]).toEqual([false, true, true]);
    let isEmpty = false;
    const empty = host.whenEmpty(10_000).then(() => (isEmpty = true));
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(isEmpty).toBe(false);
    host.release(call(1));
    await empty;
    host.keep(call(4));
    await host.whenEmpty(60); // and stops waiting after its limit
    expect(sessions.all()).toHaveLength(1);
  });

  test('renews its lease repeatedly, even while MySQL does not answer', async () => {
    let asked = 0;
    start({
      renewLease: () =>
        asked++ < 1
          ? new Promise(() => undefined)
          : asked === 3
            ? Promise.reject(new Error('away'))
            : Promise.resolve('held'),
    });
    host.keep(call(1));
    await soon('five renewals', () => asked >= 5);
    expect([lost, ended]).toEqual([false, []]);
  });

  test('cuts all streams, accepts no calls and ends after it was found lost', async () => {
    let answer: 'held' | 'lost' = 'held';
    start({ renewLease: () => Promise.resolve(answer) });
    host.keep(call(1));
    host.keep(call(2));
    answer = 'lost';
    await soon('the loss', () => lost);
    expect([ended, host.isOpen()]).toEqual([['fenced', 'fenced'], false]);
  });

  test('after a pause is released by a renewal that began afterwards, once the seats that it lost are ended', async () => {
    let pausedMs = 0;
    const hold = createHold({ onHeld: () => undefined, nowMs: () => performance.now() + pausedMs });
    const calls: string[] = [];
    start({
      hold: { isHeld: () => hold.isHeld(), renewed: () => calls.push(`released after ${ended.length} ends`) },
      findOvertaken: () => Promise.resolve(hold.isHeld() ? [{ ...call(1), kind: 'overtaken' }] : []),
    });
    host.keep(call(1));
    expect(hold.isHeld()).toBe(false);
    pausedMs = 5000;
    expect(hold.isHeld()).toBe(true);
    await soon('the release', () => calls.length > 0);
    hold.close();
    expect(calls[0]).toBe('released after 1 ends');
  });

  test('after a pause is released although MySQL takes longer than a second for each answer', async () => {
    const slowly = async <T>(answer: T): Promise<T> => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      return answer;
    };
    const calls: string[] = [];
    start({
      hold: { isHeld: () => true, renewed: () => calls.push(`released after ${ended.length} ends`) },
      renewLease: () => slowly('held'),
      findOvertaken: () => slowly([{ ...call(1), kind: 'overtaken' }]),
    });
    host.keep(call(1));
    await soon('the release', () => calls.length > 0);
    expect(calls[0]).toBe('released after 1 ends');
  });

  test('notices lost seats and leaves other seats alone', async () => {
    let gone: LostSeat[] = [];
    start({ findOvertaken: () => Promise.resolve(gone) });
    host.keep(call(1));
    host.keep(call(2, 4));
    gone = [
      { callId: 2, generation: 3, kind: 'released' },
      { callId: 1, generation: 1, kind: 'overtaken' },
    ];
    await soon('the end of the first', () => ended.length > 0);
    expect([ended, sessions.all().map(({ callId }) => callId)]).toEqual([['fenced'], [2]]);
  });

  const impatient = { seatedMs: 10, connectedMs: 10, silentMs: 10 };

  test('ends no stream as silent before it has read what came during a pause', async () => {
    let isHeld = true;
    let looks = 0;
    const read = () => ({ p95Ms: 0, maxMs: (looks += 1) });
    start({ hold: { isHeld: () => isHeld, renewed: () => undefined }, loopLag: { read } }, impatient);
    host.keep(call(1));
    await soon('two looks', () => looks > 2);
    expect(ended).toEqual([]);
    isHeld = false;
    await soon('the watchdog', () => ended.length > 0);
  });

  test('watches silent streams even while MySQL does not answer', async () => {
    start({ findOvertaken: () => new Promise(() => undefined) }, impatient);
    host.keep(call(1));
    await soon('the watchdog', () => ended.length > 0);
    host.keep(call(2));
    await soon('the watchdog again', () => ended.length > 1);
    expect(ended).toEqual(['released', 'released']);
  });
});
