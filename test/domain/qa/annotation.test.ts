import { describe, expect, test } from '@jest/globals';
import {
  isClosed,
  judgedNodes,
  judgmentIn,
  replaceJudgments,
  withError,
  withJudgment,
  withoutJudgments,
  withSkip,
  type Addition,
} from '../../../src/domain/qa/annotation.ts';

const tokens = (total: number) => ({
  prompt_tokens: total - 1,
  completion_tokens: 1,
  total_tokens: total,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
});
const judgment = (score: number | null, tags: string[] = []) => ({
  node_name: 'Ask',
  score,
  overall_sentiment: 'neutral',
  summary: 'Fine.',
  tags,
  answer: {},
});
const addition = (nodeId: string, score: number | null, tags: string[] = []): Addition => ({
  qaNodeId: 'q',
  model: 'm',
  simulated: false,
  tokens: tokens(10),
  judged: { nodeId, judgment: judgment(score, tags) },
});

describe("a QA node's result (contract 9.5)", () => {
  test('grows with each judgment: tokens add up, the score is the mean, tags are sorted without repeats', () => {
    const once = withJudgment({ note: 'kept', tags: ['zeta'] }, addition('a', 7, ['DEAD_AIR', 'beta']));
    const twice = withJudgment(once, addition('__proto__', 8, ['beta', 'alpha']));
    expect(twice).toMatchObject({ note: 'kept', tags: ['DEAD_AIR', 'alpha', 'beta', 'zeta'] });
    expect(judgmentIn(twice, 'q')).toMatchObject({
      score: 7.5,
      tags: ['DEAD_AIR', 'alpha', 'beta'],
      model: 'm',
      token_usage: { total_tokens: 20, prompt_tokens: 18 },
    });
    expect(judgedNodes(judgmentIn(twice, 'q'))).toEqual(['a', '__proto__']);
  });

  test('only counts the tokens of an unreadable answer', () => {
    const entry = judgmentIn(withJudgment({}, { ...addition('a', 1), judged: null, simulated: true }), 'q');
    expect(entry).toEqual({
      node_results: {},
      score: null,
      tags: [],
      model: 'm',
      token_usage: tokens(10),
      simulated: true,
    });
  });

  test('keeps the first of two judgments of one node', () => {
    const twice = withJudgment(withJudgment({}, addition('a', 3)), addition('a', 9));
    expect(judgmentIn(twice, 'q')).toMatchObject({ score: 3, token_usage: { total_tokens: 20 } });
  });

  test('is final after an error, and keeps the earlier judgments', () => {
    const givenUp = withError(withJudgment({}, addition('a', 3)), 'q', 'the model is away');
    expect(judgmentIn(givenUp, 'q')).toMatchObject({ error: 'the model is away', score: 3 });
    expect(isClosed(judgmentIn(givenUp, 'q'))).toBe(true);
    expect(withJudgment(givenUp, addition('b', 9))).toBe(givenUp);
    expect(withError(givenUp, 'q', 'another')).toBe(givenUp);
    expect(withSkip(givenUp, 'q', 'too short')).toBe(givenUp);
  });

  test('contains the reason for a skipped call, and is final', () => {
    const skipped = withSkip({}, 'q', 'too short');
    expect(skipped).toEqual({ qa_q: { skipped: true, reason: 'too short' } });
    expect(withError(skipped, 'q', 'another')).toBe(skipped);
  });

  test('is removed before judging when the request has set its key; other keys stay', () => {
    expect(withoutJudgments({ qa_q: { score: 10 }, qa_other: 1, note: 2 }, ['q'])).toEqual({
      qa_other: 1,
      note: 2,
    });
  });

  test('is replaced with all others and their tags at once; keys other than judgments stay', () => {
    const before = withSkip(
      withJudgment({ note: 1, qa_note: 'kept', tags: ['own'] }, addition('a', 3, ['OLD'])),
      'gone',
      'too short',
    );
    const draft = withJudgment({}, { ...addition('a', 9, ['NEW']), qaNodeId: 'r' });
    expect(replaceJudgments(before, draft)).toEqual({
      note: 1,
      qa_note: 'kept',
      qa_r: judgmentIn(draft, 'r'),
      tags: ['NEW', 'own'],
    });
    expect(
      replaceJudgments(withJudgment({}, addition('a', 3, ['OLD'])), withSkip({}, 'q', 'too short')),
    ).toEqual({
      qa_q: { skipped: true, reason: 'too short' },
    });
  });
});
