import { describe, expect, test } from '@jest/globals';
import { addCosts, costOf, dograhTokens, type PriceList } from '../../../src/domain/call/cost.ts';

const prices: PriceList = {
  'openai|||gpt-4.1-mini': { prompt: 0.4, cachedPrompt: 0.1, completion: 1.6 },
  'openai|||other': { prompt: 1, cachedPrompt: 1, completion: 1 },
  'azure|||other': { prompt: 2, cachedPrompt: 2, completion: 2 },
};
const used = (prompt: number, completion: number, cached = 0) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  cache_read_input_tokens: cached,
});

describe('the cost of tokens', () => {
  test('is the sum over services and models, with a separate price for cached prompts', () => {
    expect(costOf({ 'openai|||gpt-4.1-mini': used(1_000_000, 500_000, 400_000) }, prices)).toBe(
      0.24 + 0.04 + 0.8,
    );
    expect(costOf({ 'openai|||gpt-4.1-mini': used(1000, 100), 'openai|||other': used(10, 10) }, prices)).toBe(
      0.00058,
    );
  });

  test('is unknown without a price list, and when any used model has no price', () => {
    expect(costOf({ 'openai|||gpt-4.1-mini': used(1, 1) }, undefined)).toBeNull();
    expect(
      costOf({ 'openai|||gpt-4.1-mini': used(1, 1), 'openai|||unknown': used(1, 0) }, prices),
    ).toBeNull();
    expect(costOf({ 'openai|||constructor': used(1, 0) }, {})).toBeNull();
  });

  test('is zero when nothing was used, even without a price', () => {
    expect(costOf({}, prices)).toBe(0);
    expect(costOf({ 'openai|||unknown': used(0, 0) }, prices)).toBe(0);
  });

  test('uses the price of the model for QA when only one service has a price for it', () => {
    expect(costOf({ 'QAAnalysis|||gpt-4.1-mini': used(1000, 0) }, prices)).toBe(0.0004);
    expect(costOf({ 'QAAnalysis|||other': used(1000, 0) }, prices)).toBeNull();
    expect(
      costOf(
        { 'QAAnalysis|||other': used(1000, 0) },
        { ...prices, 'QAAnalysis|||other': { prompt: 3, cachedPrompt: 3, completion: 3 } },
      ),
    ).toBe(0.003);
  });

  test('is rounded to eight decimals, and a dollar is a hundred Dograh tokens', () => {
    expect(addCosts(0.1, 0.2)).toBe(0.3);
    expect(addCosts(null, 0.2)).toBeNull();
    expect([dograhTokens(0.00058), dograhTokens(1.005), dograhTokens(null)]).toEqual([0.058, 100.5, 0]);
  });
});
