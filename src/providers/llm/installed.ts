import type { PriceList } from '../../domain/call/cost.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import type { CustomerStreamPort } from '../http/port.ts';
import { createCustomerLlms } from './customer.ts';
import { measuredLlm } from './measured.ts';
import { createOpenAiLlm, llmProvider } from './openai.ts';
import type { CustomerLlms, LlmPort } from './port.ts';
import { tracedLlm } from './traced.ts';

export interface InstalledLlms {
  /** The installation's model. */
  llm: LlmPort;
  model: string;
  /** It is configured: by a key, or by the URL of a server that needs none. */
  hasModel: boolean;
  /** Models with customers' keys. */
  customerLlms: CustomerLlms;
}

interface LlmSettings {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  model: string;
  prices: PriceList | undefined;
}

export interface LlmParts {
  settings: LlmSettings;
  http: CustomerStreamPort;
  metrics: Metrics;
  tracing: Tracing;
}

/** The language models of a process, measured and traced. */
export function createLlms({
  settings: { apiKey, baseUrl, model, prices },
  http,
  metrics,
  tracing,
}: LlmParts): InstalledLlms {
  const watched = (llm: LlmPort) => tracedLlm(measuredLlm(llm, { metrics, prices }), tracing);
  const customers = createCustomerLlms({ http });
  return {
    llm: watched(createOpenAiLlm({ apiKey: apiKey ?? '', baseUrl })),
    model,
    hasModel: apiKey !== undefined || baseUrl !== undefined,
    customerLlms: (choice) => watched(customers(choice)),
  };
}

/** Services and models for the labels of metrics; those of customers count together. */
export function knownModels({ apiKey, model, prices }: LlmSettings): string[] {
  return [`${llmProvider(apiKey ?? '')}|||${model}`, ...Object.keys(prices ?? {})];
}
