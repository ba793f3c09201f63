import { expect, test } from '@jest/globals';
import { dispositionWithoutWords, tagsWithoutWords } from '../../../src/domain/call/without-words.ts';

const kept = { isPersonErased: false };
const erased = { isPersonErased: true };

test("the service's own dispositions stay after an erasure", () => {
  for (const disposition of ['user_hangup', 'no-answer', null])
    expect(dispositionWithoutWords({ disposition, tags: ['end_call_tool'] }, erased)).toBe(disposition);
});

test("a tool's reason is erased with the transcript; an extracted disposition is only erased with the person", () => {
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

test('tags of the service stay, and so does the tag of a disposition that stays', () => {
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
