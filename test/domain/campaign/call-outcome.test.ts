import { describe, expect, test } from '@jest/globals';
import { dispositions } from '../../../src/domain/call/dispositions.ts';
import { outcomeOfCall, type CallFacts } from '../../../src/domain/campaign/call-outcome.ts';
import { targetOutcomes } from '../../../src/domain/campaign/outcome.ts';
import type { RetryClass } from '../../../src/domain/telephony/retry-class.ts';

const talk: CallFacts = {
  disposition: 'user_qualified',
  tags: [],
  retryClass: 'none',
  notDialed: null,
  isInDoubt: false,
  wasAnswered: true,
  talkedSeconds: 60,
  wasRefused: false,
  wasStopped: false,
  gathered: {},
};
const unanswered = { wasAnswered: false, talkedSeconds: 0 };
const retryClasses = [
  'none',
  'busy',
  'no_answer',
  'declined',
  'voicemail',
  'never',
  'capacity',
  'provider',
] as const satisfies readonly RetryClass[];

describe('the outcome of an attempt', () => {
  test.each<[string, Partial<CallFacts>, string]>([
    ['a conversation', {}, 'reached'],
    ['ended by the person after a while', { disposition: 'user_hangup', talkedSeconds: 5 }, 'reached'],
    ['gone within five seconds', { disposition: 'user_hangup', talkedSeconds: 4.9 }, 'short_answer'],
    ['short, but finished by the agent', { disposition: 'end_call_tool', talkedSeconds: 3 }, 'reached'],
    ["an outcome in the agent's own words", { disposition: 'sold', talkedSeconds: 3 }, 'reached'],
    ['no answer', { ...unanswered, disposition: 'no-answer', retryClass: 'no_answer' }, 'no_answer'],
    ['busy', { ...unanswered, disposition: 'busy', retryClass: 'busy' }, 'busy'],
    ['declined by the person', { ...unanswered, disposition: 'failed', retryClass: 'declined' }, 'declined'],
    [
      'a number that does not exist',
      { ...unanswered, disposition: 'failed', retryClass: 'never' },
      'invalid_number',
    ],
    [
      'a dial that the carrier refused because of the number',
      { ...unanswered, disposition: 'error', retryClass: 'never' },
      'invalid_number',
    ],
    [
      'the same in a call whose Workflow is gone',
      {
        ...unanswered,
        disposition: 'error',
        tags: ['error', 'not_connected', 'telephony_invalid_number'],
        retryClass: null,
      },
      'invalid_number',
    ],
    ['a machine', { disposition: 'voicemail_detected', retryClass: 'voicemail' }, 'voicemail'],
    [
      'a machine that got a message',
      {
        disposition: 'voicemail_detected',
        retryClass: 'voicemail',
        gathered: { voicemail_message_left: true },
      },
      'voicemail_message',
    ],
    ['the carrier has no line', { ...unanswered, disposition: 'error', retryClass: 'capacity' }, 'capacity'],
    [
      'lines were not missing if a person answered',
      { disposition: 'pipeline_error', retryClass: 'capacity' },
      'provider',
    ],
    ['the carrier refused', { ...unanswered, disposition: 'error', retryClass: 'provider' }, 'provider'],
    [
      'the host of a conversation was lost',
      { disposition: 'pipeline_error', retryClass: 'provider' },
      'provider',
    ],
    [
      'it may have rung',
      { ...unanswered, disposition: 'error', retryClass: 'provider', isInDoubt: true },
      'unknown',
    ],
    [
      'refused before anything ran',
      { ...unanswered, disposition: 'error', retryClass: null, wasRefused: true },
      'own_fault',
    ],
    [
      'refused for lack of room',
      { ...unanswered, disposition: 'error', retryClass: 'capacity', wasRefused: true },
      'capacity',
    ],
    [
      'the window had closed',
      { ...unanswered, disposition: 'canceled', notDialed: 'outside_window' },
      'not_dialed',
    ],
    [
      'suppressed in the meantime',
      { ...unanswered, disposition: 'canceled', notDialed: 'suppressed' },
      'suppressed',
    ],
    [
      'its campaign was no longer running at the dial',
      { ...unanswered, disposition: 'canceled', notDialed: 'campaign_not_running' },
      'not_dialed',
    ],
    [
      'the carrier took no dial',
      {
        ...unanswered,
        disposition: 'error',
        retryClass: 'provider',
        notDialed: 'carrier_down',
        isInDoubt: true,
      },
      'not_dialed',
    ],
    [
      'its campaign was stopped while it rang',
      { ...unanswered, disposition: 'system_cancelled', wasStopped: true },
      'canceled',
    ],
    ['canceled while it rang', { ...unanswered, disposition: 'canceled' }, 'canceled'],
    [
      'its campaign was stopped during the conversation',
      { disposition: 'system_cancelled', wasStopped: true },
      'reached',
    ],
    ['a request not to be called', { gathered: { do_not_call: 'Yes' } }, 'opted_out'],
    [
      'that request goes before everything, even a broken line',
      {
        disposition: 'pipeline_error',
        retryClass: 'provider',
        gathered: { do_not_call: true, callback_at: '2026-11-23T10:00' },
      },
      'opted_out',
    ],
    ['a wrong number', { gathered: { wrong_number: 1 } }, 'wrong_number'],
    [
      'a requested callback',
      { disposition: 'user_hangup', talkedSeconds: 3, gathered: { callback_at: '2026-11-23T10:00' } },
      'callback',
    ],
    [
      'a contact who was not reached requests nothing',
      {
        ...unanswered,
        disposition: 'no-answer',
        retryClass: 'no_answer',
        gathered: { do_not_call: true, callback_at: 'x' },
      },
      'no_answer',
    ],
    [
      'nor a machine',
      {
        disposition: 'voicemail_detected',
        retryClass: 'voicemail',
        gathered: { callback_at: '2026-11-23T10:00' },
      },
      'voicemail',
    ],
    [
      'nor one whose call did not report its end',
      { disposition: 'voicemail_detected', retryClass: null, gathered: { do_not_call: true } },
      'voicemail',
    ],
    [
      'a no is not a request',
      { gathered: { do_not_call: 'no', wrong_number: false, callback_at: ' ' } },
      'reached',
    ],
  ])('%s', (_title, facts, outcome) => {
    expect(outcomeOfCall({ ...talk, ...facts })).toBe(outcome);
  });

  test.each<[string, string[], string]>([
    ['busy', [], 'busy'],
    ['no-answer', [], 'no_answer'],
    ['voicemail_detected', [], 'voicemail'],
    ['failed', ['telephony_rejected'], 'declined'],
    ['failed', ['telephony_invalid_number'], 'invalid_number'],
    ['failed', ['telephony_fax'], 'invalid_number'],
    ['failed', [], 'provider'],
    ['error', [], 'provider'],
    ['unknown', [], 'provider'],
    ['canceled', [], 'canceled'],
  ])(
    'of a call that did not report its end, %s with %j is read from its record',
    (disposition, tags, outcome) => {
      expect(outcomeOfCall({ ...talk, ...unanswered, retryClass: null, disposition, tags })).toBe(outcome);
    },
  );

  test('every disposition with every retry class, answered or not, reported or not, has one of the outcomes', () => {
    for (const disposition of [...dispositions, 'sold']) {
      for (const retryClass of [...retryClasses, null]) {
        for (const wasAnswered of [true, false])
          expect(targetOutcomes).toContain(outcomeOfCall({ ...talk, disposition, retryClass, wasAnswered }));
      }
    }
  });
});
