/**
 * The vendors whose models customers may bring. This file is the only list of them: which are accepted, their
 * addresses, and what the API's catalogs show (contract 13.2, 13.3).
 */

export interface LlmVendor {
  title: string;
  /** Base URL of the vendor's OpenAI-compatible API; null = each customer has its own. */
  address: string | null;
  /** The field for another address; null when customers cannot set one. */
  addressField: 'base_url' | 'endpoint' | null;
  /** The path to test a key with: it requires a valid key. */
  keyPath: string;
  /** Hint for the model's name, for people. */
  modelHint: string;
  examples: readonly string[];
}

export const llmVendors = {
  openai: {
    title: 'OpenAI',
    address: 'https://api.openai.com/v1',
    addressField: 'base_url',
    keyPath: 'models',
    modelHint: 'As OpenAI calls it.',
    examples: ['gpt-4.1', 'gpt-4.1-mini'],
  },
  azure: {
    title: 'Azure OpenAI',
    address: null,
    addressField: 'endpoint',
    keyPath: 'models',
    modelHint: 'Name of your deployment.',
    examples: [],
  },
  openrouter: {
    title: 'OpenRouter',
    address: 'https://openrouter.ai/api/v1',
    addressField: 'base_url',
    keyPath: 'key',
    modelHint: 'Vendor and model.',
    examples: ['openai/gpt-4.1-mini'],
  },
  groq: {
    title: 'Groq',
    address: 'https://api.groq.com/openai/v1',
    addressField: null,
    keyPath: 'models',
    modelHint: 'As Groq calls it.',
    examples: ['llama-3.3-70b-versatile'],
  },
  deepseek: {
    title: 'DeepSeek',
    address: 'https://api.deepseek.com/v1',
    addressField: null,
    keyPath: 'models',
    modelHint: 'As DeepSeek calls it.',
    examples: ['deepseek-chat'],
  },
  anthropic: {
    title: 'Anthropic',
    address: 'https://api.anthropic.com/v1',
    addressField: null,
    keyPath: 'models',
    modelHint: 'As Anthropic calls it.',
    examples: [],
  },
  google: {
    title: 'Google Gemini',
    address: 'https://generativelanguage.googleapis.com/v1beta/openai',
    addressField: null,
    keyPath: 'models',
    modelHint: 'As Google calls it.',
    examples: ['gemini-2.5-flash'],
  },
  mistral: {
    title: 'Mistral',
    address: 'https://api.mistral.ai/v1',
    addressField: null,
    keyPath: 'models',
    modelHint: 'As Mistral calls it.',
    examples: ['mistral-small-latest'],
  },
  openai_compatible: {
    title: 'OpenAI-compatible server',
    address: null,
    addressField: 'base_url',
    keyPath: 'models',
    modelHint: 'As your server calls it.',
    examples: [],
  },
} as const satisfies Record<string, LlmVendor>;

export type LlmVendorName = keyof typeof llmVendors;

export const llmVendorNames: readonly LlmVendorName[] = Object.keys(llmVendors).filter(isLlmVendor);

export const defaultLlmVendor: LlmVendorName = 'openai';

export function isLlmVendor(name: unknown): name is LlmVendorName {
  return typeof name === 'string' && Object.hasOwn(llmVendors, name);
}

export function llmVendor(name: LlmVendorName): LlmVendor {
  return llmVendors[name];
}
