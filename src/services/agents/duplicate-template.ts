import type { Workflow } from '../../contract/agents.ts';
import { composeAgent } from '../../domain/agent-templates/compose.ts';
import { agentTemplates } from '../../domain/agent-templates/templates.ts';
import { NotFoundError } from '../../domain/errors.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { createAgent } from './create.ts';

/**
 * Creates an agent from a template (contract 1.4): graph, settings and test values in one published version.
 * Throws NotFoundError.
 */
export async function duplicateTemplate({
  ctx,
  input: { templateId, name },
}: {
  ctx: ServiceContext;
  input: { templateId: number; name: string };
}): Promise<Workflow> {
  const template = agentTemplates.find(({ id }) => id === templateId);
  if (template === undefined) throw new NotFoundError(`Template with ID ${templateId} not found`);
  const { design, settings, testValues } = template;
  return await createAgent({
    ctx,
    input: {
      name,
      definition: composeAgent(design),
      settings,
      testValues,
      madeFrom: { template: templateId },
    },
  });
}
