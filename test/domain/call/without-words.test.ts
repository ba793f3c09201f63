import { expect, test } from '@jest/globals';
import { dispositionWithoutWords, tagsWithoutWords } from '../../../src/domain/call/without-words.ts';

const kept = { isPersonErased: false };
const erased = { isPersonErased: true };

test("an outcome of the service's own stays, whoever is erased", () => {
  for (const disposition of ['user_hangup', 'no-answer', null])
    expect(dispositionWithoutWords({ disposition, tags: ['end_call_tool'] }, erased)).toBe(disposition);
});

test("a tool's reason goes with the transcript; an extracted outcome goes only with the person", () => {
  expect(dispositionWithoutWords({ disposition: 'Ada wants tea', tags: ['end_call_tool'] }, kept)).toBe(
    'erased',
  );
  expect(dispositionWithoutWords({ disposition: 'tea_ordered', tags: ['user_speech'] }, kept)).toBe(
    'tea_ordered',
  );
  expect(dispositionWithoutWords({ disposition: 'tea_ordered', tags: ['user_speech'] }, erased)).toBe(
    'erased',
  );
});

test('of the tags those stay that the service gives, and the outcome when it stays', () => {
  const tags = [
    'tea_ordered',
    'user_speech',
    'end_call_tool',
    'not_connected',
    'telephony_busy',
    'telephony_fax',
    'retry',
    'retry_reason_no_answer',
    'Ada',
    'telephony_Ada',
  ];
  const ours = [
    'user_speech',
    'end_call_tool',
    'not_connected',
    'telephony_busy',
    'telephony_fax',
    'retry',
    'retry_reason_no_answer',
  ];
  expect(tagsWithoutWords({ disposition: 'tea_ordered', tags }, 'tea_ordered')).toEqual([
    'tea_ordered',
    ...ours,
  ]);
  expect(tagsWithoutWords({ disposition: 'tea_ordered', tags }, 'erased')).toEqual(ours);
});
