import type { AgentSettings } from '../../domain/agents/settings.ts';
import { mapModelSecrets } from '../../domain/models/secrets.ts';
import { voicemailLlm } from '../../domain/models/voicemail-llm.ts';
import { openerOf, settingsPlace } from '../kernel/index.ts';
import { llmOf, type LlmDeps, type ResolvedLlm } from './resolve-llm.ts';

interface Opening {
  deps: Pick<LlmDeps, 'secrets' | 'customerLlms'>;
  organizationId: number;
  /** Of the version that the call is pinned to. */
  agentSettings: Pick<AgentSettings, 'voicemailDetection'>;
  /** The agent's own model. */
  by: Pick<ResolvedLlm, 'llm' | 'model'>;
}

/**
 * Who is asked whether the far end's first words are a machine's (contract 3.2): the model that
 * `voicemail_detection` brings, else the agent's own. Asks no database.
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
  // guarantee: whether-machine-answered-asked
  return brought === null
    ? by
    : { llm: llmOf(deps, brought, 'model of the voicemail detection'), model: brought.model };
}
