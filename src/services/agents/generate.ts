import type { Workflow } from '../../contract/agents.ts';
import { composeAgent } from '../../domain/agent-templates/compose.ts';
import { testValuesOf } from '../../domain/agent-templates/design-texts.ts';
import type { AgentDesign } from '../../domain/agent-templates/design.ts';
import { nameOf, skeletonOf, type AgentWish } from '../../domain/agent-templates/skeleton.ts';
import { type ServiceContext, madeBefore } from '../kernel/index.ts';
import { requireInstallationQuota, resolveLlm, type LlmDeps, type ModelQuotas } from '../models/index.ts';
import { machineDetection } from '../../domain/agent-templates/template.ts';
import { createAgent } from './create.ts';
import { designWithModel } from './design-with-model.ts';
import { getAgent } from './get.ts';

export interface GenerateDeps extends LlmDeps {
  /** Whether the installation has a model. */
  hasModel: boolean;
  /** Replaces the usual quotas. */
  quotas?: ModelQuotas | undefined;
  /** Maximum time of all requests to the model together. */
  generationMs?: number;
}

interface Generating {
  ctx: ServiceContext;
  deps: GenerateDeps;
  input: AgentWish;
  /** Aborts the requests to the model when the client has disconnected. */
  signal: AbortSignal;
}

/** Long enough for two whole answers, and short enough for a person to wait. */
const usualMs = 60_000;

/**
 * Creates an agent from a description (contract 1.4). The organization's model, else the installation's,
 * designs it; without a configured model it is a skeleton of one step. Nothing is written before the design
 * is complete and can be called. Throws LimitError (429) when the quota of the
 * installation's model is used up, and ProviderError (502) when the model gives no such design.
 */
export async function generateAgent({ ctx, deps, input, signal }: Generating): Promise<Workflow> {
  const made = madeBefore(ctx, 'agent');
  if (made !== null) return await getAgent({ ctx, input: { agentId: made } });
  const resolved = await resolveLlm({ db: ctx.db, deps, organizationId: ctx.organizationId });
  if (resolved.level === 'installation' && !deps.hasModel)
    return await createDesigned(ctx, { name: nameOf(input), design: skeletonOf(input), by: 'skeleton' });
  if (resolved.level === 'installation')
    await requireInstallationQuota({ ...ctx, now: ctx.clock.now() }, 'modelRequests', deps.quotas);
  const { name, design } = await designWithModel({
    ctx,
    resolved,
    wish: input,
    wholeMs: deps.generationMs ?? usualMs,
    signal,
  });
  return await createDesigned(ctx, {
    name: name === '' ? nameOf(input) : name,
    design,
    by: resolved.llm.simulated ? 'simulated_model' : 'model',
  });
}

function createDesigned(
  ctx: ServiceContext,
  { name, design, by }: { name: string; design: AgentDesign; by: string },
): Promise<Workflow> {
  return createAgent({
    ctx,
    input: {
      name,
      definition: composeAgent(design),
      settings: machineDetection(design.callType),
      testValues: testValuesOf(design),
      madeFrom: { designed_by: by },
    },
  });
}
