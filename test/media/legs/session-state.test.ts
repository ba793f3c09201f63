import { describe, expect, test } from '@jest/globals';
import {
  nextState,
  type SessionEvent,
  type SessionLimits,
  type SessionState,
} from '../../../src/media/legs/session-state.ts';

const limits: SessionLimits = { seatedMs: 100, connectedMs: 1000, silentMs: 50 };
const after = (...events: SessionEvent[]): SessionState =>
  events.reduce<SessionState>((state, event) => nextState(state, event, limits), {
    kind: 'seated',
    sinceMs: 0,
  });
const live: SessionEvent[] = [
  { kind: 'connected', atMs: 10 },
  { kind: 'began', atMs: 20 },
];

describe("a call's seat at a host", () => {
  test('goes from the seat to the socket to media', () => {
    expect(after()).toEqual({ kind: 'seated', sinceMs: 0 });
    expect(after({ kind: 'connected', atMs: 10 })).toEqual({ kind: 'connected', sinceMs: 10 });
    expect(after(...live, { kind: 'heard', atMs: 40 })).toEqual({
      kind: 'live',
      sinceMs: 20,
      lastFrameMs: 40,
    });
  });

  test('has no media before a socket, and no second socket', () => {
    expect(after({ kind: 'began', atMs: 5 })).toEqual({ kind: 'seated', sinceMs: 0 });
    expect(after(...live, { kind: 'connected', atMs: 30 })).toMatchObject({ kind: 'live' });
    expect(after({ kind: 'heard', atMs: 5 })).toEqual({ kind: 'seated', sinceMs: 0 });
  });

  test.each<[string, SessionEvent[], SessionState]>([
    ['the carrier stops', [...live, { kind: 'stopped' }], { kind: 'over', reason: 'stopped' }],
    [
      'the socket closes, even before media',
      [{ kind: 'connected', atMs: 10 }, { kind: 'closed' }],
      { kind: 'over', reason: 'closed' },
    ],
    ['a newer generation takes a seat', [{ kind: 'overtaken' }], { kind: 'over', reason: 'fenced' }],
    ['the call gives it up', [...live, { kind: 'released' }], { kind: 'over', reason: 'released' }],
    ['no socket comes', [{ kind: 'looked_at', atMs: 101 }], { kind: 'over', reason: 'released' }],
    [
      'the person does not answer in time',
      [
        { kind: 'connected', atMs: 10 },
        { kind: 'looked_at', atMs: 1011 },
      ],
      { kind: 'over', reason: 'released' },
    ],
    [
      'a live socket is silent',
      [...live, { kind: 'looked_at', atMs: 71 }],
      { kind: 'over', reason: 'silent_socket' },
    ],
  ])('is over when %s', (_what, events, state) => {
    expect(after(...events)).toEqual(state);
  });

  test('is not over before a time limit', () => {
    expect(after({ kind: 'looked_at', atMs: 100 })).toMatchObject({ kind: 'seated' });
    expect(after({ kind: 'connected', atMs: 90 }, { kind: 'looked_at', atMs: 1090 })).toMatchObject({
      kind: 'connected',
    });
    expect(after(...live, { kind: 'heard', atMs: 60 }, { kind: 'looked_at', atMs: 110 })).toMatchObject({
      kind: 'live',
    });
    expect(after({ kind: 'closed' })).toMatchObject({ kind: 'seated' });
  });

  test('is over once: the first reason stays', () => {
    expect(after({ kind: 'overtaken' }, { kind: 'stopped' }, { kind: 'released' }, ...live)).toEqual({
      kind: 'over',
      reason: 'fenced',
    });
  });
});
