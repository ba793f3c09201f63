import { type Db } from '../../db/rows.ts';
import { readAgentSettings, type AgentModels } from '../../domain/agents/settings.ts';
import { ProviderError } from '../../domain/errors.ts';
import { chooseLlm } from '../../domain/models/choose-llm.ts';
import { llmFault, readLlm, type LlmLevel, type LlmSettings } from '../../domain/models/llm-settings.ts';
import type { CustomerLlms, LlmPort } from '../../providers/llm/port.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import { openAgentModels, readConfiguration } from './internal.ts';

/** The language models there are: the installation's, and those that customers bring. */
export interface LlmDeps {
  secrets: SecretBox;
  /** The installation's. */
  llm: LlmPort;
  /** Its model. */
  model: string;
  customerLlms: CustomerLlms;
}

/** A language model and the name to ask it by. */
export interface ResolvedLlm {
  llm: LlmPort;
  model: string;
  /** Who chose it. */
  level: LlmLevel;
}

interface Resolving {
  db: Db;
  deps: LlmDeps;
  organizationId: number;
  /** Of the version that is asked for; absent = those of no agent. */
  agentSettings?: AgentModels;
}

/**
 * The configured language model (contract 3.1, docs/models.md): the agent's own configuration, else its
 * overrides over the organization's, else the organization's, else the installation's. Looked up at each use
 * and never kept, so that a change works from the next request on. Settings that cannot be asked by are
 * answered as a model that fails, saying what is missing, each time it is asked.
 */
export async function resolveLlm({
  db,
  deps,
  organizationId,
  agentSettings = readAgentSettings({}),
}: Resolving): Promise<ResolvedLlm> {
  const organization = await readConfiguration({ db, secrets: deps.secrets, organizationId });
  const chosen = chooseLlm({
    agentSettings: openAgentModels(agentSettings, { secrets: deps.secrets, organizationId }),
    organization,
  });
  if (chosen === null) return { llm: deps.llm, model: deps.model, level: 'installation' };
  const settings = readLlm(chosen.llm);
  return { llm: llmOf(deps, settings, levelNames[chosen.level]), model: settings.model, level: chosen.level };
}

/**
 * The model by settings of a customer, keys opened; where they cannot be asked by, one that fails and names
 * `whose`.
 */
export function llmOf(deps: Pick<LlmDeps, 'customerLlms'>, settings: LlmSettings, whose: string): LlmPort {
  const fault = llmFault(settings);
  return fault === null
    ? ofCustomer(deps, settings)
    : failingLlm(settings.provider, `The ${whose} cannot be used: ${fault.message}`);
}

const levelNames = {
  agent_configuration: 'model configuration of the agent',
  agent_override: 'model override of the agent',
  organization: 'model configuration of the organization',
} as const satisfies Record<Exclude<LlmLevel, 'installation'>, string>;

function ofCustomer(
  { customerLlms }: Pick<LlmDeps, 'customerLlms'>,
  { provider, apiKey, endpoint, temperature }: LlmSettings,
): LlmPort {
  return customerLlms({ provider, apiKey, endpoint, ...(temperature === null ? {} : { temperature }) });
}

/** A model that cannot be asked, and says why. */
function failingLlm(provider: string, message: string): LlmPort {
  return {
    simulated: false,
    provider,
    // oxlint-disable-next-line require-yield -- a stream that fails before its first piece
    async *stream() {
      await Promise.resolve();
      throw new ProviderError(message, { provider: 'llm', retryable: false, reason: 'client_error' });
    },
  };
}
