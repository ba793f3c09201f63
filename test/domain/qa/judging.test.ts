import { describe, expect, test } from '@jest/globals';
import { failed, isOpen, judged, nextJudging, withoutResults } from '../../../src/domain/qa/judging.ts';

const by = (actorId: number) => ({ actorKind: 'user', actorId, actorName: null });
const at = (minute: number) => new Date(Date.UTC(2026, 10, 25, 1, minute));
const first = nextJudging(null, { versionId: 5, at: at(0), by: by(1) });

describe('judgments that are asked for', () => {
  test('are counted when they are complete, and name who asked for the last complete one', () => {
    const done = judged({ ...first, draft: { qa_q: {} } }, at(1));
    expect(done).toMatchObject({
      state: 'judged',
      draft: {},
      count: 1,
      last: { at: at(1).toISOString(), by: by(1) },
    });
    const second = nextJudging(done, { versionId: 6, at: at(2), by: by(2) });
    expect(second).toMatchObject({ number: 2, state: 'judging', versionId: 6, count: 1, last: done.last });
    expect(failed({ ...second, draft: { qa_q: {} } }, 'the model is away')).toMatchObject({
      state: 'failed',
      draft: {},
      reason: 'the model is away',
      count: 1,
      last: done.last,
    });
    expect(
      nextJudging(failed(second, 'the model is away'), { versionId: 6, at: at(3), by: by(2) }),
    ).toMatchObject({
      number: 3,
      reason: null,
    });
  });

  test('are open under their own number only, until they end', () => {
    expect([isOpen(first, 1), isOpen(first, 2), isOpen(null, 1), isOpen(judged(first, at(1)), 1)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('end without results when the call is erased; one that has ended stays', () => {
    const done = judged(first, at(1));
    expect(withoutResults({ ...first, draft: { qa_q: {} } })).toMatchObject({
      state: 'failed',
      draft: {},
      reason: 'The call was erased',
    });
    expect([withoutResults(done), withoutResults(null)]).toEqual([done, null]);
  });
});
