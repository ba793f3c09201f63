import type { ModelPricing } from '../../../../src/contract/model-configurations.ts';
import type { Settings } from './vendor-fields.ts';

export interface ListedPrice {
  /** The key of the price list, `service|||model`. */
  key: string;
  service: string;
  model: string;
  /** USD per million tokens. */
  prompt: number;
  cachedPrompt: number;
  completion: number;
  isUsed: boolean;
}

/** The price list by model, the one of the used model first. */
export function listedPrices(
  models: NonNullable<ModelPricing['models']>,
  used: Settings | null,
): readonly ListedPrice[] {
  const usedKey = `${String(used?.['provider'])}|||${String(used?.['model'])}`;
  return Object.entries(models)
    .map(([key, { prompt, cached_prompt: cachedPrompt, completion }]) => {
      const [service = '', model = ''] = key.split('|||');
      return { key, service, model, prompt, cachedPrompt, completion, isUsed: key === usedKey };
    })
    .toSorted(
      (one, other) =>
        Number(other.isUsed) - Number(one.isUsed) ||
        one.model.localeCompare(other.model) ||
        one.service.localeCompare(other.service),
    );
}

const usd = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** A price: `$0.40`, `$0.0125`. */
export const priceText = (price: number): string => usd.format(price);
