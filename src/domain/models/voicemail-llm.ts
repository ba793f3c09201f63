import { own, ownObject, type JsonObject } from '../graph/definition.ts';
import { readBoolean } from '../graph/fields.ts';
import { defaultLlmVendor } from './catalog.ts';
import { readLlm, type LlmSettings } from './llm-settings.ts';

/** Of the vendor that is meant where none is named (contract 3.1). */
const defaultModel = 'gpt-4.1';

/**
 * The model that `voicemail_detection` brings for telling person from machine (contract 3.1, 3.2), with its
 * key; null where the agent's own is meant, as it is unless `use_workflow_llm` is false. Nothing of the
 * agent's or the organization's model goes into it: a key is for whom it was given.
 */
export function voicemailLlm(settings: JsonObject): LlmSettings | null {
  const voicemail = ownObject(settings, 'voicemail_detection');
  if (readBoolean(own(voicemail, 'use_workflow_llm')) !== false) return null;
  const brought = readLlm(voicemail);
  return brought.model === '' && brought.provider === defaultLlmVendor
    ? { ...brought, model: defaultModel }
    : brought;
}
