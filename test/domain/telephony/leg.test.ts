import { describe, expect, test } from '@jest/globals';
import type { CarrierEvent, CarrierNews } from '../../../src/domain/telephony/carrier-event.ts';
import type { Answerer } from '../../../src/domain/telephony/detection.ts';
import {
  answererOn,
  hearCarrier,
  isStreamOver,
  legAnswered,
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

/** Every order of a few elements. */
function orders<T>(things: readonly T[]): T[][] {
  return things.length < 2
    ? [[...things]]
    : things.flatMap((each, index) =>
        orders(things.filter((_, other) => other !== index)).map((rest) => [each, ...rest]),
      );
}

describe('a leg', () => {
  test('is the same for any order and repetition of its events', () => {
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

  test('never goes back: an answer after the end does not revive it', () => {
    const ended = hear([event(5, { kind: 'hangup', cause: 'timeout', source: 'unknown' })]);
    expect(hear([event(1, { kind: 'ringing' }), event(6, { kind: 'initiated' })], ended).phase).toBe('ended');
    expect(hear([event(4, { kind: 'answered' })], ended)).toMatchObject({
      phase: 'ended',
      answeredAt: at(4),
    });
    expect(legDialed(ended, { callControlId: 'c9', legId: null, sessionId: null }).phase).toBe('ended');
  });

  test('keeps its first hang-up', () => {
    const ended = hear([
      event(5, { kind: 'hangup', cause: 'user_busy', source: 'callee' }),
      event(6, { kind: 'hangup', cause: 'normal_clearing', source: 'caller' }),
    ]);
    expect(ended).toMatchObject({ hangup: { cause: 'user_busy' }, endedAt: at(5) });
  });

  test('keeps its first answer', () => {
    for (const order of orders([event(5, { kind: 'answered' }), event(6, { kind: 'answered' })]))
      expect(hear(order).answeredAt).toBe(at(5));
  });

  test.each<[string, CarrierNews]>([
    ['the result of a detection', { kind: 'detection', result: 'machine' }],
    ['the end of a greeting', { kind: 'machine_greeting_ended', result: 'beep_detected' }],
    [
      'a hang-up of an answered leg',
      { kind: 'hangup', cause: 'normal_clearing', source: 'callee', wasAnswered: true },
    ],
  ])('counts as answered by %s, even before the event of the answer', (_what, proof) => {
    const leg = hear([event(1, { kind: 'initiated' }), event(7, proof)]);
    expect([leg.phase === 'answered' || leg.phase === 'ended', leg.answeredAt]).toEqual([true, at(7)]);
    expect(hear([event(5, { kind: 'answered' })], leg).answeredAt).toBe(at(5));
  });

  test('counts as answered when its media begin, in any phase', () => {
    expect(legAnswered(newLeg, at(5))).toMatchObject({ phase: 'answered', answeredAt: at(5) });
    const ended = hear([event(9, { kind: 'hangup', cause: 'normal_clearing', source: 'callee' })]);
    expect(legAnswered(ended, at(5))).toMatchObject({ phase: 'ended', answeredAt: at(5) });
  });

  const greetingEnd = (result: string): CarrierNews => ({ kind: 'machine_greeting_ended', result });
  const detected = (result: string): CarrierNews => ({ kind: 'detection', result });
  // guarantee: beep-alone-is-a-machine
  test.each<[Answerer, string, CarrierNews[]]>([
    ['machine', 'a beep alone', [greetingEnd('beep_detected')]],
    ['machine', 'the end of a greeting alone', [greetingEnd('no_beep_detected')]],
    ['person', 'an unclear end of a greeting', [greetingEnd('not_sure')]],
    ['machine', 'a beep and an unsure detection', [detected('not_sure'), greetingEnd('beep_detected')]],
    ['person', 'silence without a beep', [detected('silence'), greetingEnd('no_beep_detected')]],
    ['person', 'a beep and a recognized person', [detected('human_residence'), greetingEnd('beep_detected')]],
    ['fax', 'a beep and a recognized fax', [detected('fax_detected'), greetingEnd('beep_detected')]],
    ['person', 'nothing', []],
  ])('is answered by a %s after %s, in any order', (answerer, _what, news) => {
    for (const order of orders(news.map((what, index) => event(index, what))))
      expect(answererOn(hear(order))).toBe(answerer);
  });

  test('keeps the ids of an event that arrives before the answer to the dial', () => {
    const known = hear([event(1, { kind: 'initiated' }, 'c1')]);
    expect(legDialed(known, { callControlId: 'c0', legId: null, sessionId: null })).toEqual(known);
  });

  test('uses the newest control id, and keeps other ids that an event omits', () => {
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

  test('that was reported gone takes time and cause from a later hang-up', () => {
    const gone = legGone(hear(life.slice(0, 3)), at(8));
    const ended = hear([event(7, { kind: 'hangup', cause: 'user_busy', source: 'callee' })], gone);
    expect(ended).toMatchObject({ phase: 'ended', hangup: { cause: 'user_busy', source: 'callee' } });
    expect(ended.endedAt).toBe(at(7));
    expect(legGone(ended, at(20))).toEqual(ended);
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
  ])('keeps its generation if an older stream %s after a newer one', (_what, field, news) => {
    for (const order of orders(news))
      expect(hear(order.map((each, index) => event(index, each)))[field]).toBe(2);
  });

  test('keeps its newest stream when an older one stops', () => {
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

  test('records who answered and the ends of greeting and apology, and ignores keys', () => {
    const leg = hear([
      event(1, { kind: 'detection', result: 'machine' }),
      event(2, { kind: 'detection', result: 'not_sure' }),
      event(3, { kind: 'machine_greeting_ended', result: 'beep_detected' }),
      event(4, { kind: 'speak_ended' }),
      event(5, { kind: 'dtmf', digit: '1' }),
      event(6, { kind: 'bridged' }),
    ]);
    expect(leg).toMatchObject({
      phase: 'answered',
      detection: 'machine',
      greetingEnd: 'beep_detected',
      hasSpoken: true,
    });
  });

  test('that is gone without a hang-up ends as unspecified', () => {
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

  test('that was reported gone takes its cause and its end from the hang-up that arrives later', () => {
    const gone = legGone(hear(life.slice(0, 3)), at(20));
    expect(hear(life.slice(4), gone)).toMatchObject({
      phase: 'ended',
      endedAt: at(9),
      hangup: { cause: 'normal_clearing', source: 'callee' },
    });
  });

  test('keeps the highest stream generations when their events arrive in reverse order', () => {
    const leg = hear([
      event(4, { kind: 'stream_stopped', generation: 2 }),
      event(3, { kind: 'stream_started', generation: 2 }),
      event(2, { kind: 'stream_failed', generation: 1, reason: 'connection_failed' }),
      event(1, { kind: 'stream_started', generation: 1 }),
    ]);
    expect([leg.streamBegan, leg.streamEnded]).toEqual([2, 2]);
  });
});
