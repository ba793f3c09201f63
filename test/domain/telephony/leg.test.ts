import { describe, expect, test } from '@jest/globals';
import type { CarrierEvent, CarrierNews } from '../../../src/domain/telephony/carrier-event.ts';
import {
  hearCarrier,
  isStreamOver,
  legDialed,
  legGone,
  legOutcome,
  newLeg,
  wasAnswered,
  type Leg,
} from '../../../src/domain/telephony/leg.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 4, 0, second)).toISOString();
type Heard = Pick<CarrierEvent, 'occurredAt' | 'leg' | 'what'>;
const event = (second: number, what: CarrierNews, callControlId = 'c1'): Heard => ({
  occurredAt: at(second),
  leg: { callControlId, legId: 'l1', sessionId: 's1' },
  what,
});
const hear = (events: Heard[], leg: Leg = newLeg) => events.reduce(hearCarrier, leg);

const life = [
  event(1, { kind: 'initiated' }),
  event(2, { kind: 'ringing' }),
  event(5, { kind: 'answered' }),
  event(6, { kind: 'stream_started', generation: 1 }),
  event(9, { kind: 'hangup', cause: 'normal_clearing', source: 'callee' }),
];

/** Every order of a few things. */
function orders<T>(things: readonly T[]): T[][] {
  return things.length < 2
    ? [[...things]]
    : things.flatMap((each, index) =>
        orders(things.filter((_, other) => other !== index)).map((rest) => [each, ...rest]),
      );
}

describe('a leg', () => {
  test('is the same whatever order its events come in, and however often', () => {
    const wanted = hear(life);
    expect(wanted).toMatchObject({
      phase: 'ended',
      answeredAt: at(5),
      endedAt: at(9),
      hangup: { cause: 'normal_clearing', source: 'callee' },
      streamBegan: 1,
      ids: { callControlId: 'c1' },
    });
    for (const order of orders(life)) expect(hear([...order, ...order.toReversed()])).toEqual(wanted);
  });

  test('never goes back: an answer after the end revives nothing', () => {
    const ended = hear([event(5, { kind: 'hangup', cause: 'timeout', source: 'unknown' })]);
    expect(hear([event(1, { kind: 'ringing' }), event(6, { kind: 'initiated' })], ended).phase).toBe('ended');
    expect(hear([event(4, { kind: 'answered' })], ended)).toMatchObject({
      phase: 'ended',
      answeredAt: at(4),
    });
    expect(legDialed(ended, { callControlId: 'c9', legId: null, sessionId: null }).phase).toBe('ended');
  });

  test('keeps the first word about its end', () => {
    const ended = hear([
      event(5, { kind: 'hangup', cause: 'user_busy', source: 'callee' }),
      event(6, { kind: 'hangup', cause: 'normal_clearing', source: 'caller' }),
    ]);
    expect(ended).toMatchObject({ hangup: { cause: 'user_busy' }, endedAt: at(5) });
  });

  test('keeps the first word about its answer', () => {
    const answered = hear([event(5, { kind: 'answered' }), event(6, { kind: 'answered' })]);
    expect(answered.answeredAt).toBe(at(5));
  });

  test('keeps the ids of an event that was faster than the answer to the dial', () => {
    const known = hear([event(1, { kind: 'initiated' }, 'c1')]);
    expect(legDialed(known, { callControlId: 'c0', legId: null, sessionId: null })).toEqual(known);
  });

  test('is commanded by the newest id, and keeps the others where an event leaves them out', () => {
    const leg = hear([
      event(2, { kind: 'answered' }, 'c2'),
      event(1, { kind: 'initiated' }, 'c1'),
      { ...event(3, { kind: 'playback_ended' }), leg: { callControlId: 'c3', legId: null, sessionId: null } },
    ]);
    expect(leg.ids).toEqual({ callControlId: 'c3', legId: 'l1', sessionId: 's1' });
    expect(legDialed(newLeg, { callControlId: 'c0', legId: null, sessionId: null })).toMatchObject({
      phase: 'dialing',
      ids: { callControlId: 'c0' },
    });
  });

  test('merges the ids of two events of the same instant', () => {
    const bare = {
      ...event(1, { kind: 'initiated' }),
      leg: { callControlId: 'c1', legId: null, sessionId: null },
    };
    expect(hear([bare, event(1, { kind: 'ringing' })]).ids).toEqual({
      callControlId: 'c1',
      legId: 'l1',
      sessionId: 's1',
    });
  });

  test('that was found gone takes the time and the cause of a hang-up that arrives later', () => {
    const gone = legGone(hear(life.slice(0, 3)), at(8));
    const told = hear([event(7, { kind: 'hangup', cause: 'user_busy', source: 'callee' })], gone);
    expect(told).toMatchObject({ phase: 'ended', hangup: { cause: 'user_busy', source: 'callee' } });
    expect(told.endedAt).toBe(at(7));
    expect(legGone(told, at(20))).toEqual(told);
    expect(legGone(gone, at(20))).toEqual(gone);
  });

  test.each<[string, 'streamBegan' | 'streamEnded', CarrierNews[]]>([
    [
      'begins',
      'streamBegan',
      [
        { kind: 'stream_started', generation: 2 },
        { kind: 'stream_started', generation: 1 },
        { kind: 'stream_started', generation: null },
      ],
    ],
    [
      'stops',
      'streamEnded',
      [
        { kind: 'stream_stopped', generation: 2 },
        { kind: 'stream_failed', generation: 1, reason: 'connection_failed' },
        { kind: 'stream_stopped', generation: null },
      ],
    ],
  ])('a stream that %s later than a newer one does not lower the generation', (_what, field, news) => {
    for (const order of orders(news))
      expect(hear(order.map((each, index) => event(index, each)))[field]).toBe(2);
  });

  test('an older stream that stops says nothing about the newest one', () => {
    const moved = hear([
      event(1, { kind: 'stream_started', generation: 1 }),
      event(2, { kind: 'stream_started', generation: 2 }),
      event(3, { kind: 'stream_stopped', generation: 1 }),
    ]);
    expect([isStreamOver(moved, 1), isStreamOver(moved, 2)]).toEqual([true, false]);
    expect(
      isStreamOver(
        hear(
          [
            event(4, { kind: 'stream_failed', generation: 2, reason: 'connection_failed' }),
            event(5, { kind: 'stream_stopped', generation: null }),
          ],
          moved,
        ),
        2,
      ),
    ).toBe(true);
  });

  test('notes who answered, the end of a greeting and of an apology, and hears keys as nothing', () => {
    const leg = hear([
      event(1, { kind: 'detection', result: 'machine' }),
      event(2, { kind: 'detection', result: 'not_sure' }),
      event(3, { kind: 'machine_greeting_ended', result: 'beep_detected' }),
      event(4, { kind: 'speak_ended' }),
      event(5, { kind: 'dtmf', digit: '1' }),
      event(6, { kind: 'bridged' }),
    ]);
    expect(leg).toMatchObject({
      phase: 'new',
      detection: 'machine',
      hasGreetingEnded: true,
      hasSpoken: true,
    });
  });

  test('that is gone without a word ends as unspecified', () => {
    const answered = hear(life.slice(0, 3));
    const gone = legGone(answered, at(8));
    expect([gone.phase, gone.endedAt, wasAnswered(gone), legOutcome(gone).disposition]).toEqual([
      'ended',
      at(8),
      true,
      'unknown',
    ]);
    expect(legOutcome(legGone(newLeg, at(8)))).toMatchObject({
      disposition: 'failed',
      retryClass: 'provider',
      isKnown: true,
    });
    expect(legGone(hear(life), at(20)).endedAt).toBe(at(9));
  });

  test('ends its call by the cause of its hang-up', () => {
    const busy = hear([event(5, { kind: 'hangup', cause: 'user_busy', source: 'callee' })]);
    expect(legOutcome(busy)).toMatchObject({ disposition: 'busy', retryClass: 'busy', isKnown: true });
  });

  test('that was found gone takes its cause and its end from the hang-up that comes later', () => {
    const gone = legGone(hear(life.slice(0, 3)), at(20));
    expect(hear(life.slice(4), gone)).toMatchObject({
      phase: 'ended',
      endedAt: at(9),
      hangup: { cause: 'normal_clearing', source: 'callee' },
    });
  });

  test('keeps the highest stream generations when their events come in reverse order', () => {
    const leg = hear([
      event(4, { kind: 'stream_stopped', generation: 2 }),
      event(3, { kind: 'stream_started', generation: 2 }),
      event(2, { kind: 'stream_failed', generation: 1, reason: 'connection_failed' }),
      event(1, { kind: 'stream_started', generation: 1 }),
    ]);
    expect([leg.streamBegan, leg.streamEnded]).toEqual([2, 2]);
  });
});
