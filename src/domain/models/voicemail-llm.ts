import { own, ownObject, type JsonObject } from '../graph/definition.ts';
import { readBoolean } from '../graph/fields.ts';
import { defaultLlmVendor } from './catalog.ts';
import { readLlm, type LlmSettings } from './llm-settings.ts';

/** The default vendor's model, when the settings name none (contract 3.1). */
const defaultModel = 'gpt-4.1';

/**
 * The model of `voicemail_detection` that tells persons from machines (contract 3.1, 3.2), with its key; null
 * when the agent's own model does it, which is the default unless `use_workflow_llm` is false. It inherits
 * nothing from the agent's or the organization's model, because a key is only used with the vendor that it
 * was given for.
 */
export function voicemailLlm(settings: JsonObject): LlmSettings | null {
  const voicemail = ownObject(settings, 'voicemail_detection');
  if (readBoolean(own(voicemail, 'use_workflow_llm')) !== false) return null;
  const brought = readLlm(voicemail);
  return brought.model === '' && brought.provider === defaultLlmVendor
    ? { ...brought, model: defaultModel }
    : brought;
}
