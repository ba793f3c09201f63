import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '../../src/config/env.ts';
import { readPrices } from '../../src/config/prices.ts';

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'prices.yaml');
  writeFileSync(path, text);
  return path;
}

describe('the price list', () => {
  test('is YAML or JSON; cached prompts cost as much as others by default', () => {
    expect(
      readPrices(file('openai|||gpt-4.1-mini:\n  prompt: 0.4\n  cached_prompt: 0.1\n  completion: 1.6\n')),
    ).toEqual({ 'openai|||gpt-4.1-mini': { prompt: 0.4, cachedPrompt: 0.1, completion: 1.6 } });
    expect(readPrices(file('{"openai|||x":{"prompt":2,"completion":8}}'))).toEqual({
      'openai|||x': { prompt: 2, cachedPrompt: 2, completion: 8 },
    });
  });

  test.each([
    ['a key without a service', 'gpt: {prompt: 1, completion: 1}'],
    ['a negative price', 'a|||b: {prompt: -1, completion: 1}'],
    ['a missing price', 'a|||b: {prompt: 1}'],
    ['an unknown key', 'a|||b: {prompt: 1, completion: 1, cached: 1}'],
    ['another type', '- 1'],
  ])('with %s prevents the start, with an error that names the variable', (_name, text) => {
    const environment = {
      DATABASE_URL: 'mysql://x',
      PARLANCE_ENCRYPTION_KEYS: 'a:b',
      PARLANCE_PRICES: file(text),
    };
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(/PARLANCE_PRICES: ./);
  });

  test('prevents the start if its file is missing, but not if none is configured', () => {
    const environment = { DATABASE_URL: 'mysql://x', PARLANCE_ENCRYPTION_KEYS: 'a:b' };
    expect(() => readConfig({ ...environment, PARLANCE_PRICES: join(folder, 'none') })).toThrow(
      /PARLANCE_PRICES: .*ENOENT/,
    );
    expect(readConfig(environment).llm.prices).toBeUndefined();
  });
});
