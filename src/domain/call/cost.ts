/** USD per million tokens. */
export interface ModelPrice {
  /** Prompt tokens that were not read from the provider's cache. */
  prompt: number;
  cachedPrompt: number;
  completion: number;
}

/** The operator's prices by `service|||model`, the keys of usage_info (contract 6.6). */
export type PriceList = Readonly<Record<string, ModelPrice>>;

/** Tokens of one service and model, as usage_info has them: `prompt_tokens` includes the cached ones. */
export interface PricedTokens {
  prompt_tokens: number;
  completion_tokens: number;
  cache_read_input_tokens: number;
}

/** A dollar is a hundred Dograh tokens (contract 6.1). */
const dograhTokensPerUsd = 100;
const decimals = 8;

/**
 * The cost of tokens in USD, rounded to eight decimals; 0 for none. Null without a price list, and when any
 * used model has no price, because a partial sum is not the cost.
 */
export function costOf(
  tokens: Readonly<Record<string, PricedTokens>>,
  prices: PriceList | undefined,
): number | null {
  if (prices === undefined) return null;
  let sum = 0;
  for (const [key, used] of Object.entries(tokens)) {
    if (used.prompt_tokens + used.completion_tokens === 0) continue;
    const price = priceOf(prices, key);
    if (price === null) return null;
    sum += priced(used, price);
  }
  return rounded(sum);
}

/** The sum of two costs; null when either is unknown. */
export function addCosts(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : rounded(left + right);
}

/** `dograh_token_usage` of a cost: 0 when the cost is unknown (contract 6.1). */
export function dograhTokens(costUsd: number | null): number {
  return Number(((costUsd ?? 0) * dograhTokensPerUsd).toFixed(decimals - 2));
}

function priced(
  { prompt_tokens: prompt, completion_tokens: completion, cache_read_input_tokens: cached }: PricedTokens,
  price: ModelPrice,
): number {
  return (
    ((prompt - cached) * price.prompt + cached * price.cachedPrompt + completion * price.completion) /
    1_000_000
  );
}

/**
 * The price of a key. QA usage is stored under its purpose, not under its service (contract 6.6): then it is
 * the price of that model, if only one service has it.
 */
function priceOf(prices: PriceList, key: string): ModelPrice | null {
  const own = Object.hasOwn(prices, key) ? prices[key] : undefined;
  if (own !== undefined) return own;
  if (!key.startsWith(forQa)) return null;
  const model = key.slice(forQa.length);
  const others = Object.entries(prices).filter(([other]) => other.endsWith(`|||${model}`));
  return others.length === 1 ? (others[0]?.[1] ?? null) : null;
}

const forQa = 'QAAnalysis|||';

function rounded(usd: number): number {
  return Number(usd.toFixed(decimals));
}
