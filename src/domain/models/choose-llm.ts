import type { AgentModels } from '../agents/settings.ts';
import type { JsonObject } from '../graph/definition.ts';
import { llmOfConfiguration, overLlm, type LlmLevel } from './llm-settings.ts';

export interface ChosenSettings {
  level: Exclude<LlmLevel, 'installation'>;
  llm: JsonObject;
}

/**
 * Chooses the language model of a call from its agent's and its organization's settings; null when neither
 * names one: then it is the installation's (contract 3.1). `organization` is the organization's model
 * configuration.
 */
export function chooseLlm({
  agentSettings: { modelConfiguration, modelOverrides },
  organization,
}: {
  agentSettings: AgentModels;
  organization: JsonObject | null;
}): ChosenSettings | null {
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
