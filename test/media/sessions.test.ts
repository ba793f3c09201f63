import { describe, expect, test } from '@jest/globals';
import type { GoneReason } from '../../src/media/leg.ts';
import { createSessions, NoLegError, type OwnedLeg } from '../../src/media/sessions.ts';

const limits = { seatedMs: 1000, connectedMs: 1000, silentMs: 1000 };
const call = (callId: number, generation = 1) => ({ callId, organizationId: 3, generation });

function legOf(ends: GoneReason[]): OwnedLeg {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sessions use only `end`
  return { end: (reason: GoneReason) => ends.push(reason) } as unknown as OwnedLeg;
}

describe('the seated calls of a host', () => {
  test('give their stream to every wait, early or late', async () => {
    const sessions = createSessions({ limits });
    const session = sessions.seat(call(1));
    const waiting = [1, 2].map(() => sessions.whenLive(1, 1, AbortSignal.timeout(1000)));
    const leg = legOf([]);
    session?.connect(() => undefined);
    session?.begin(leg);
    expect([
      ...(await Promise.all(waiting)),
      await sessions.whenLive(1, 1, AbortSignal.timeout(1000)),
    ]).toEqual([leg, leg, leg]);
  });

  test('end every wait for a stream that never comes, by the end of the session or the signal of the wait', async () => {
    const sessions = createSessions({ limits });
    const session = sessions.seat(call(1));
    const [byEnd, impatient] = [sessions.whenLive(1, 1, new AbortController().signal), new AbortController()];
    const bySignal = sessions.whenLive(1, 1, impatient.signal);
    impatient.abort(new Error('enough'));
    await expect(bySignal).rejects.toThrow('enough');
    session?.report({ kind: 'released' });
    await expect(byEnd).rejects.toMatchObject({ reason: 'released' });
    await expect(sessions.whenLive(1, 1, new AbortController().signal)).rejects.toBeInstanceOf(NoLegError);
    await expect(sessions.whenLive(2, 1, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  test('end once, close their socket and their leg, and are forgotten', () => {
    const over: [number, GoneReason][] = [];
    const [closes, ends]: [GoneReason[], GoneReason[]] = [[], []];
    const sessions = createSessions({ limits, onOver: ({ callId }, reason) => over.push([callId, reason]) });
    const session = sessions.seat(call(1));
    session?.connect((reason) => {
      closes.push(reason);
      session.report({ kind: 'closed' }); // as a closed socket does
    });
    session?.begin(legOf(ends));
    session?.report({ kind: 'stopped' });
    expect({ over, closes, ends, left: sessions.all() }).toEqual({
      over: [[1, 'stopped']],
      closes: ['stopped'],
      ends: ['stopped'],
      left: [],
    });
  });

  test('end when a newer generation takes a seat, and do not affect it', () => {
    const over: [number, GoneReason][] = [];
    const sessions = createSessions({
      limits,
      onOver: ({ generation }, reason) => over.push([generation, reason]),
    });
    const old = sessions.seat(call(1, 1));
    const fresh = sessions.seat(call(1, 2));
    old?.report({ kind: 'stopped' });
    expect(over).toEqual([[1, 'fenced']]);
    expect(sessions.find(1, 2)).toBe(fresh);
    expect(sessions.find(1, 1)).toBeNull();
    expect(sessions.seat(call(1, 2))).toBe(fresh);
    expect(sessions.seat(call(1, 1))).toBeNull();
  });

  test('end at a check when their time is over', () => {
    let nowMs = 0;
    const over: GoneReason[] = [];
    const sessions = createSessions({
      limits,
      now: () => nowMs,
      onOver: (_session, reason) => over.push(reason),
    });
    sessions.seat(call(1));
    nowMs = 1000;
    sessions.watch();
    expect(over).toEqual([]);
    nowMs = 1001;
    sessions.watch();
    expect(over).toEqual(['released']);
  });
});
