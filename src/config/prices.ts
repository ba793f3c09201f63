import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { PriceList } from '../domain/call/cost.ts';

const Usd = z.number().nonnegative();

/** The operator's price list: USD per million tokens by `service|||model`. */
const Prices = z.record(
  z.string().regex(/^.+\|\|\|.+$/, 'must have the form service|||model'),
  z
    .strictObject({ prompt: Usd, cached_prompt: Usd.optional(), completion: Usd })
    .transform(({ prompt, cached_prompt: cachedPrompt = prompt, completion }) => ({
      prompt,
      cachedPrompt,
      completion,
    })),
);

/**
 * Reads a price list in YAML or JSON. `cached_prompt` defaults to the price of `prompt`. Throws an error that
 * names all faults.
 */
export function readPrices(file: string): PriceList {
  const parsed = Prices.safeParse(parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join(' ')}: ${message}`).join('; '));
}
