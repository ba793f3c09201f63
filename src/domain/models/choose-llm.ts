import type { AgentModels } from '../agents/settings.ts';
import type { JsonObject } from '../graph/definition.ts';
import { usesInstallationKey } from './installed.ts';
import { llmOfConfiguration, overLlm, type LlmLevel } from './llm-settings.ts';

export interface ChosenSettings {
  level: Exclude<LlmLevel, 'installation'>;
  llm: JsonObject;
}

interface Choosing {
  agentSettings: AgentModels;
  organization: JsonObject | null;
}

/**
 * Chooses the language model of a call from its agent's and its organization's settings; null when neither
 * names one of its own: then it is the installation's (contract 3.1). `organization` is the organization's model
 * configuration.
 */
export function chooseLlm({
  agentSettings: { modelConfiguration, modelOverrides },
  organization,
}: Choosing): ChosenSettings | null {
  const chosen = settingsOf({ agentSettings: { modelConfiguration, modelOverrides }, organization });
  return chosen === null || usesInstallationKey(chosen.llm) ? null : chosen;
}

function settingsOf({
  agentSettings: { modelConfiguration, modelOverrides },
  organization,
}: Choosing): ChosenSettings | null {
  const whole = llmOfConfiguration(modelConfiguration);
  if (whole !== null) return { level: 'agent_configuration', llm: whole };
  const below = llmOfConfiguration(organization);
  const fields = modelOverrides.llm;
  if (fields !== null && hasValues(fields)) return { level: 'agent_override', llm: overLlm(below, fields) };
  return below === null ? null : { level: 'organization', llm: below };
}

/** Editors also send empty fields, which do not count. */
function hasValues(fields: JsonObject): boolean {
  return Object.values(fields).some((value) => value !== null && value !== '');
}
