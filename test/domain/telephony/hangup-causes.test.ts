import { describe, expect, test } from '@jest/globals';
import { callStatus } from '../../../src/domain/telephony/call-status.ts';
import { answererOf, detectionResults } from '../../../src/domain/telephony/detection.ts';
import {
  hangupCauses,
  hangupOutcome,
  type HangupCause,
} from '../../../src/domain/telephony/hangup-causes.ts';

type Cell = [disposition: string, word: string | null, retryClass: string];

const nonsense: Cell = ['unknown', null, 'provider'];
/** The table of contract 8.4, cause by cause: before an answer, after it. */
const rows: Record<HangupCause, [Cell, Cell]> = {
  user_busy: [['busy', 'busy', 'busy'], nonsense],
  busy: [['busy', 'busy', 'busy'], nonsense],
  no_answer: [['no-answer', 'no-answer', 'no_answer'], nonsense],
  timeout: [['no-answer', 'no-answer', 'no_answer'], nonsense],
  call_rejected: [['failed', 'rejected', 'declined'], nonsense],
  not_found: [['failed', 'invalid_number', 'never'], nonsense],
  unallocated_number: [['failed', 'invalid_number', 'never'], nonsense],
  originator_cancel: [['canceled', 'canceled', 'none'], nonsense],
  normal_clearing: [
    ['no-answer', 'no-answer', 'no_answer'],
    ['user_hangup', null, 'none'],
  ],
  time_limit: [
    ['failed', 'failed', 'provider'],
    ['call_duration_exceeded', null, 'none'],
  ],
  unspecified: [['failed', 'failed', 'provider'], nonsense],
};

describe('what the carrier says of an end', () => {
  test('every cause has a row here', () => {
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(hangupCauses).toSorted());
  });

  test.each(Object.entries(rows))(
    '%s has one outcome before an answer and one after it',
    (cause, [before, after]) => {
      const told = (wasAnswered: boolean) => hangupOutcome({ cause, wasAnswered });
      expect(told(false)).toEqual({
        disposition: before[0],
        word: before[1],
        retryClass: before[2],
        isKnown: true,
      });
      expect(told(true)).toEqual({
        disposition: after[0],
        word: after[1],
        retryClass: after[2],
        isKnown: true,
      });
    },
  );

  test.each(['', 'brand_new', '__proto__', 'constructor', 'USER_BUSY'])(
    'an unknown cause %j counts as unspecified, and is told to be unknown',
    (cause) => {
      expect(hangupOutcome({ cause, wasAnswered: false })).toEqual({
        disposition: 'failed',
        word: 'failed',
        retryClass: 'provider',
        isKnown: false,
      });
      expect(hangupOutcome({ cause, wasAnswered: true })).toEqual({
        disposition: 'unknown',
        word: null,
        retryClass: 'provider',
        isKnown: false,
      });
    },
  );
});

describe('who answered', () => {
  test.each([
    ['human', 'person'],
    ['human_residence', 'person'],
    ['human_business', 'person'],
    ['silence', 'person'],
    ['not_sure', 'person'],
    ['machine', 'machine'],
    ['fax', 'fax'],
    ['fax_detected', 'fax'],
  ])('%s is a %s', (result, answerer) => {
    expect(answererOf(result)).toEqual({ answerer, isKnown: true });
  });

  test('every result has a row above, and an unknown one is talked to', () => {
    expect(Object.keys(detectionResults)).toHaveLength(8);
    expect(answererOf('toString')).toEqual({ answerer: 'person', isKnown: false });
  });
});

describe('the status word of an event', () => {
  test.each([
    ['call.initiated', null, 'initiated'],
    ['call_answered', null, 'in-progress'],
    ['call.hangup', 'normal_clearing', 'completed'],
    ['call.hangup', 'time_limit', 'completed'],
    ['call.hangup', 'user_busy', 'busy'],
    ['call.hangup', 'timeout', 'no-answer'],
    ['call.hangup', 'call_rejected', 'failed'],
    ['call.hangup', 'originator_cancel', 'canceled'],
    ['call.hangup', null, 'completed'],
    ['streaming.started', null, null],
  ])('%s with cause %s is %s', (eventType, cause, status) => {
    expect(callStatus(eventType, cause)).toBe(status);
  });
});
