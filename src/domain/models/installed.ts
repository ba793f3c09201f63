import type { JsonObject } from '../graph/definition.ts';
import { sttVendors, ttsVendors } from '../../contract/data/voice-vendors.ts';
import { defaultLlmVendor } from './catalog.ts';
import { readLlm } from './llm-settings.ts';
import type { SttVendorName, TtsVendorName } from './voice-catalog.ts';

/** A model of the installation, as answers name it. */
interface InstalledModel {
  provider: string;
  model: string;
}

/** What a conversation uses when no one has configured models. */
export interface InstalledModels {
  llm: InstalledModel;
  tts: InstalledModel;
  stt: InstalledModel;
}

/** The installation's models by the operator's choice; the vendor's first one without a choice. */
export const installedModels = ({
  llm,
  tts,
  stt,
}: {
  llm: { model: string };
  tts: { provider: TtsVendorName; model: string | undefined };
  stt: { provider: SttVendorName; model: string | undefined };
}): InstalledModels => ({
  llm: { provider: defaultLlmVendor, model: llm.model },
  tts: { provider: tts.provider, model: tts.model ?? ttsVendors[tts.provider].models[0] },
  stt: { provider: stt.provider, model: stt.model ?? sttVendors[stt.provider].models[0] },
});

/**
 * Stands in answers for the installation's key of the language model. A client that sends it back keeps the
 * installation's model.
 */
export const installationKey = '*'.repeat(12);

/** The configuration that an organization without its own has in effect (contract 13.3). */
export const installedConfiguration = ({ llm, tts, stt }: InstalledModels): JsonObject => ({
  version: 2,
  mode: 'byok',
  byok: { mode: 'pipeline', pipeline: { llm: { ...llm, api_key: installationKey }, tts, stt } },
});

/** True for settings that use the installation's key. */
export const usesInstallationKey = (llm: JsonObject): boolean => readLlm(llm).apiKey === installationKey;

/** True for the installation's own model: its key is for no other. */
export function isInstalled(llm: JsonObject, installed: InstalledModels | undefined): boolean {
  const { provider, model, endpoint } = readLlm(llm);
  return provider === installed?.llm.provider && model === installed.llm.model && endpoint === null;
}
