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
 * The voice or the speech recognition of a call by its agent's and its organization's settings, by the levels
 * of `chooseLlm`; null where nobody chose: then it is the installation's. A whole configuration of the agent
 * that says nothing about it leaves it to the installation too, because it stands in the organization's
 * place.
 */
export function chooseVoice({ service, agentSettings, organization }: Choosing): ChosenVoice | null {
  const whole = agentSettings.modelConfiguration;
  if (llmOfConfiguration(whole) !== null) {
    const settings = voiceOfConfiguration(service, whole);
    return settings === null ? null : { level: 'agent_configuration', settings };
  }
  const below = voiceOfConfiguration(service, organization);
  const fields = saidIn(agentSettings.modelOverrides[service]);
  if (fields !== null) return { level: 'agent_override', settings: overVoice(below, fields) };
  return below === null ? null : { level: 'organization', settings: below };
}

/** `tts` or `stt` of a model configuration (contract 13.3); null when it says nothing. */
export function voiceOfConfiguration(service: VoiceService, configuration: unknown): JsonObject | null {
  return saidIn(part(part(part(configuration, 'byok'), 'pipeline'), service));
}

/**
 * An override over what is below, field by field. One that names another vendor inherits nothing, least of
 * all a key.
 */
export function overVoice(below: JsonObject | null, override: JsonObject): JsonObject {
  const given = saidIn(override) ?? {};
  return below === null || !isSameVendor(below, given) ? given : { ...below, ...given };
}

/** Who names no vendor means the one below. */
export function isSameVendor(below: JsonObject, over: JsonObject): boolean {
  const provider = own(over, 'provider');
  return (
    provider === undefined || provider === null || provider === '' || provider === own(below, 'provider')
  );
}

/** Editors send empty fields along; null when nothing is said. */
function saidIn(settings: JsonObject | null): JsonObject | null {
  const said = Object.entries(settings ?? {}).filter(([, value]) => value !== null && value !== '');
  return said.length === 0 ? null : Object.fromEntries(said);
}

function part(value: unknown, key: string): JsonObject | null {
  const inner = isObject(value) ? own(value, key) : undefined;
  return isObject(inner) ? inner : null;
}
