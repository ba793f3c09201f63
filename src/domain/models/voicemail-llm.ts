import { unlistedDefaults } from '../../contract/data/default-settings.ts';
import type { JsonObject } from '../graph/definition.ts';
import { defaultLlmVendor } from './catalog.ts';
import { readLlm, type LlmSettings } from './llm-settings.ts';

/**
 * The model that `voicemail_detection` brings to tell persons from machines (contract 3.1, 3.2), with its key.
 * It inherits nothing from the agent's or the organization's model, because a key is only used with the vendor
 * that it was given for.
 */
export function voicemailLlm(ownLlm: JsonObject): LlmSettings {
  const brought = readLlm(ownLlm);
  return brought.model === '' && brought.provider === defaultLlmVendor
    ? { ...brought, model: unlistedDefaults.voicemail_detection.model }
    : brought;
}
