import { type Db } from '../../db/rows.ts';
import { readAgentSettings, type AgentModels } from '../../domain/agents/settings.ts';
import { ProviderError } from '../../domain/errors.ts';
import { chooseLlm } from '../../domain/models/choose-llm.ts';
import { llmFault, readLlm, type LlmLevel, type LlmSettings } from '../../domain/models/llm-settings.ts';
import type { CustomerLlms, LlmPort } from '../../providers/llm/port.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import { systemClock, type Clock } from '../../runtime/clock.ts';
import { countingLlm } from './counting-llm.ts';
import { openAgentModels, readConfiguration, type RecentConfigurations } from './internal.ts';

/** The available language models: the installation's and the customers'. */
export interface LlmDeps {
  secrets: SecretBox;
  /** The installation's port. */
  llm: LlmPort;
  /** The installation's model. */
  model: string;
  customerLlms: CustomerLlms;
  /** Tells the day for which requests count; absent = the system's. */
  clock?: Clock;
  /** The configurations of the last second; absent = each use reads its own. */
  configurations?: RecentConfigurations | undefined;
}

/** A language model and its name at the port. */
export interface ResolvedLlm {
  llm: LlmPort;
  model: string;
  /** The level that chose the model. */
  level: LlmLevel;
}

interface Resolving {
  db: Db;
  deps: LlmDeps;
  organizationId: number;
  /** The settings of the agent's version; absent without an agent. */
  agentSettings?: AgentModels;
}

/**
 * The configured language model (contract 3.1, docs/models.md): the agent's own configuration, else its
 * overrides over the organization's, else the organization's, else the installation's. Looked up at each use,
 * so that a change applies from the next request, or a second later. For unusable settings this answers a
 * model whose every request fails with an error that says what is missing.
 */
export async function resolveLlm({
  db,
  deps,
  organizationId,
  agentSettings = readAgentSettings({}),
}: Resolving): Promise<ResolvedLlm> {
  const read = async () => ({
    configuration: await readConfiguration({ db, secrets: deps.secrets, organizationId }),
  });
  const { configuration: organization } = await (deps.configurations?.find(organizationId, read) ?? read());
  const chosen = chooseLlm({
    agentSettings: openAgentModels(agentSettings, { secrets: deps.secrets, organizationId }),
    organization,
  });
  if (chosen === null)
    return {
      llm: countingLlm(deps.llm, { db, organizationId, clock: deps.clock ?? systemClock }),
      model: deps.model,
      level: 'installation',
    };
  const settings = readLlm(chosen.llm);
  return { llm: llmOf(deps, settings, levelNames[chosen.level]), model: settings.model, level: chosen.level };
}

/**
 * The model for a customer's settings, whose keys are in clear. For unusable settings, a model that fails
 * with an error that names `whose` they are.
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

/** A model whose every request fails with `message`. */
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
