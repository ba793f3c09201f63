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
  test('is YAML or JSON; a cached prompt costs what others do unless it has a price', () => {
    expect(
      readPrices(file('openai|||gpt-4.1-mini:\n  prompt: 0.4\n  cached_prompt: 0.1\n  completion: 1.6\n')),
    ).toEqual({ 'openai|||gpt-4.1-mini': { prompt: 0.4, cachedPrompt: 0.1, completion: 1.6 } });
    expect(readPrices(file('{"openai|||x":{"prompt":2,"completion":8}}'))).toEqual({
      'openai|||x': { prompt: 2, cachedPrompt: 2, completion: 8 },
    });
  });

  test.each([
    ['a key without a service', 'gpt: {prompt: 1, completion: 1}'],
    ['a price below nothing', 'a|||b: {prompt: -1, completion: 1}'],
    ['a missing price', 'a|||b: {prompt: 1}'],
    ['an unknown word', 'a|||b: {prompt: 1, completion: 1, cached: 1}'],
    ['something else', '- 1'],
  ])('with %s stops the start and names the variable', (_name, text) => {
    const environment = {
      DATABASE_URL: 'mysql://x',
      PARLANCE_ENCRYPTION_KEYS: 'a:b',
      PARLANCE_PRICES: file(text),
    };
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(/PARLANCE_PRICES: ./);
  });

  test('that is not there stops the start, and none at all does not', () => {
    const environment = { DATABASE_URL: 'mysql://x', PARLANCE_ENCRYPTION_KEYS: 'a:b' };
    expect(() => readConfig({ ...environment, PARLANCE_PRICES: join(folder, 'none') })).toThrow(
      /PARLANCE_PRICES: .*ENOENT/,
    );
    expect(readConfig(environment).llm.prices).toBeUndefined();
  });
});
