import { describe, expect, test } from '@jest/globals';
import { legReference, writeClientState } from '../../../src/domain/telephony/client-state.ts';
import { callsOfLegs, splitSilence, type CallEvent } from '../../../tools/bench/phone/loss-parts.ts';
import type { LogEntry } from '../../support/phone-service.ts';

let n = 0;
const entry = (at: number, type: string, fields: Record<string, unknown> = {}, legId = 'one'): LogEntry => ({
  n: (n += 1),
  at,
  type,
  legId,
  ...fields,
});
const callEvent = (at: number, kind: CallEvent['kind'], name: string): CallEvent => ({ at, kind, name });
const loss = { legId: 'one', killedAt: 10_000, heardAgainAt: 12_000 };

/**
 * Reported after 100 ms; a seat requested 400 ms later and assigned after 50; its stream starts 150 later.
 */
const callEvents = [
  callEvent(9000, 'signaled', 'carrierEvent'),
  callEvent(10_100, 'signaled', 'carrierEvent'),
  callEvent(10_500, 'scheduled', 'claimSeat'),
  callEvent(10_550, 'done', 'claimSeat'),
  callEvent(10_600, 'scheduled', 'attachStream'),
  callEvent(10_720, 'signaled', 'carrierEvent'),
];
const started = entry(10_700, 'stream', { what: 'started' });

describe('a silence after the death of a host', () => {
  test("is split by the call's history and the carrier's log into parts that add up to it", () => {
    const split = splitSilence(
      loss,
      [
        entry(5000, 'stream', { what: 'started' }),
        started,
        entry(10_650, 'stream', { what: 'started' }, 'two'),
      ],
      callEvents,
    );
    expect(split).toMatchObject({
      silenceMs: 2000,
      reportedBy: 'carrierEvent',
      parts: { signaled: 100, given_up: 400, seated: 50, streaming: 150, heard: 1300 },
    });
  });

  test('counts the last seat and the last stream when the first ones failed', () => {
    const again = [
      ...callEvents,
      callEvent(10_900, 'scheduled', 'claimSeat'),
      callEvent(11_000, 'done', 'claimSeat'),
    ];
    expect(splitSilence(loss, [started, entry(11_200, 'stream', { what: 'started' })], again)?.parts).toEqual(
      { signaled: 100, given_up: 400, seated: 500, streaming: 200, heard: 800 },
    );
  });

  test('is not split when a part of it is not recorded', () => {
    expect(
      splitSilence(
        loss,
        [started],
        callEvents.filter(({ name }) => name !== 'claimSeat'),
      ),
    ).toBeNull();
    expect(splitSilence(loss, [], callEvents)).toBeNull();
  });

  test.each([
    ['agent', [entry(9990, 'heard', { beganAt: 8000, endedAt: 9930 })]],
    ['person', [entry(9500, 'said', { ms: 1000 })]],
    [
      'agent_next',
      [entry(8000, 'heard', { beganAt: 5000, endedAt: 8000 }), entry(8500, 'said', { ms: 1000 })],
    ],
    [
      'person_next',
      [
        entry(5000, 'said', { ms: 1000 }),
        entry(9000, 'heard', { beganAt: 6500, endedAt: 9000 }),
        entry(9500, 'said', { ms: 1000 }, 'two'),
      ],
    ],
  ])('has the floor at its beginning: %s', (floor, entries) => {
    expect(splitSilence(loss, [...entries, started], callEvents)?.floor).toBe(floor);
  });

  test('reports how long the person spoke in it, before and after the stream was back', () => {
    const said = [
      entry(9500, 'said', { ms: 1000 }),
      entry(11_000, 'said', { ms: 300 }),
      entry(11_800, 'said', { ms: 1000 }),
      entry(10_500, 'said', { ms: 1000 }, 'two'),
    ];
    expect(splitSilence(loss, [...said, started], callEvents)?.personMs).toBe(500 + 300 + 200);
  });
});

test('a leg belongs to the call of its reference', () => {
  const callUuid = '0b4e2d1c-0a49-4a5e-9b3b-6a2f1e7c9d10';
  const clientState = writeClientState({
    reference: legReference(callUuid, { role: 'main', attempt: 1 }),
    generation: 1,
  });
  expect([
    ...callsOfLegs([
      entry(1, 'leg', { state: 'ringing', clientState }),
      entry(2, 'leg', { state: 'ringing', clientState: null }, 'two'),
    ]),
  ]).toEqual([['one', callUuid]]);
});
