import type { AgentSettings } from '../../domain/agents/settings.ts';
import { mapModelSecrets } from '../../domain/models/secrets.ts';
import { voicemailLlm } from '../../domain/models/voicemail-llm.ts';
import { openerOf, settingsPlace } from '../kernel/index.ts';
import { llmOf, type LlmDeps, type ResolvedLlm } from './resolve-llm.ts';

interface Opening {
  deps: Pick<LlmDeps, 'secrets' | 'customerLlms'>;
  organizationId: number;
  /** The settings of the call's pinned version. */
  agentSettings: Pick<AgentSettings, 'voicemailDetection'>;
  /** The agent's own model. */
  by: Pick<ResolvedLlm, 'llm' | 'model'>;
}

/**
 * The model that judges whether a machine spoke the opening (contract 3.2): that of `voicemail_detection`,
 * else the agent's own. Does not read the database.
 */
export function openingLlm({
  deps,
  organizationId,
  agentSettings: {
    voicemailDetection: { ownLlm },
  },
  by,
}: Opening): Pick<ResolvedLlm, 'llm' | 'model'> {
  const open = openerOf(deps.secrets, settingsPlace(organizationId));
  const brought = ownLlm === null ? null : voicemailLlm(mapModelSecrets(ownLlm, undefined, open));
  // guarantee: voicemail-judged-by-own-model
  return brought === null
    ? by
    : { llm: llmOf(deps, brought, 'model of the voicemail detection'), model: brought.model };
}
