import { unlistedDefaults } from '../../contract/data/default-settings.ts';
import type { JsonObject } from '../graph/definition.ts';
import { defaultLlmVendor } from './catalog.ts';
import { readLlm, type LlmSettings } from './llm-settings.ts';

/**
 * The model that `voicemail_detection` brings to tell a person from a machine (contract 3.1, 3.2), with its
 * key. It inherits nothing from the agent's or the organization's model: a key is used only for the model
 * that it was given for.
 */
export function voicemailLlm(ownLlm: JsonObject): LlmSettings {
  const brought = readLlm(ownLlm);
  return brought.model === '' && brought.provider === defaultLlmVendor
    ? { ...brought, model: unlistedDefaults.voicemail_detection.model }
    : brought;
}
