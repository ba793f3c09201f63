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
/** The table of contract 8.4: the outcome of each cause before and after an answer. */
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

describe('the hang-up causes of the carrier', () => {
  test('all have a row here', () => {
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(hangupCauses).toSorted());
  });

  // guarantee: hangup-cause-has-one-outcome
  test.each(Object.entries(rows))(
    'map %s to one outcome before an answer and one after it',
    (cause, [before, after]) => {
      const outcomeOf = (wasAnswered: boolean) => hangupOutcome({ cause, wasAnswered });
      expect(outcomeOf(false)).toEqual({
        disposition: before[0],
        word: before[1],
        retryClass: before[2],
        isKnown: true,
      });
      expect(outcomeOf(true)).toEqual({
        disposition: after[0],
        word: after[1],
        retryClass: after[2],
        isKnown: true,
      });
    },
  );

  test.each(['', 'brand_new', '__proto__', 'constructor', 'USER_BUSY'])(
    'treat the unknown cause %j as unspecified, and report that it is unknown',
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

describe('answering machine detection', () => {
  test.each([
    ['human', 'person'],
    ['human_residence', 'person'],
    ['human_business', 'person'],
    ['silence', 'person'],
    ['not_sure', 'person'],
    ['machine', 'machine'],
    ['fax', 'fax'],
    ['fax_detected', 'fax'],
  ])('reads %s as a %s', (result, answerer) => {
    expect(answererOf(result)).toMatchObject({ answerer, isKnown: true });
  });

  test('has a row above for every result, and treats an unknown one as a person', () => {
    expect(Object.keys(detectionResults)).toHaveLength(8);
    expect(answererOf('toString')).toEqual({ answerer: 'person', isSure: false, isKnown: false });
  });
});

describe('the status word of a carrier event', () => {
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
  ])('of %s with cause %s is %s', (eventType, cause, status) => {
    expect(callStatus(eventType, cause)).toBe(status);
  });
});
