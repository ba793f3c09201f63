import type { AgentModels } from '../agents/settings.ts';
import { isObject, own, type JsonObject } from '../graph/definition.ts';
import { llmOfConfiguration, type LlmLevel } from './llm-settings.ts';
import type { VoiceService } from './voice-settings.ts';

export interface ChosenVoice {
  level: Exclude<LlmLevel, 'installation'>;
  settings: JsonObject;
}

interface Choosing {
  service: VoiceService;
  agentSettings: AgentModels;
  organization: JsonObject | null;
}

/**
 * Chooses the voice or the speech recognition of a call from its agent's and its organization's settings,
 * with the levels of `chooseLlm`; null when neither has a choice: then it is the installation's. A whole
 * configuration of the agent without this service also means the installation's, because it replaces the
 * organization's.
 */
export function chooseVoice({ service, agentSettings, organization }: Choosing): ChosenVoice | null {
  const whole = agentSettings.modelConfiguration;
  if (llmOfConfiguration(whole) !== null) {
    const settings = voiceOfConfiguration(service, whole);
    return settings === null ? null : { level: 'agent_configuration', settings };
  }
  const below = voiceOfConfiguration(service, organization);
  const fields = givenFields(agentSettings.modelOverrides[service]);
  if (fields !== null) return { level: 'agent_override', settings: overVoice(below, fields) };
  return below === null ? null : { level: 'organization', settings: below };
}

/** `tts` or `stt` of a model configuration (contract 13.3); null when it is absent or empty. */
export function voiceOfConfiguration(service: VoiceService, configuration: unknown): JsonObject | null {
  return givenFields(part(part(part(configuration, 'byok'), 'pipeline'), service));
}

/**
 * Merges an override over the level below, field by field. An override that names another vendor inherits
 * nothing, in particular no key.
 */
export function overVoice(below: JsonObject | null, override: JsonObject): JsonObject {
  const given = givenFields(override) ?? {};
  return below === null || !isSameVendor(below, given) ? given : { ...below, ...given };
}

/** Settings without a vendor mean the vendor of the level below. */
export function isSameVendor(below: JsonObject, over: JsonObject): boolean {
  const provider = own(over, 'provider');
  return (
    provider === undefined || provider === null || provider === '' || provider === own(below, 'provider')
  );
}

/** The fields with a value, because editors also send empty ones; null when there are none. */
function givenFields(settings: JsonObject | null): JsonObject | null {
  const said = Object.entries(settings ?? {}).filter(([, value]) => value !== null && value !== '');
  return said.length === 0 ? null : Object.fromEntries(said);
}

function part(value: unknown, key: string): JsonObject | null {
  const inner = isObject(value) ? own(value, key) : undefined;
  return isObject(inner) ? inner : null;
}
