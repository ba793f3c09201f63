import {
  duplicateTemplate,
  generateAgent,
  listTemplates,
  type GenerateDeps,
} from '../../services/agents/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

type AgentTemplateRoute = 'listWorkflowTemplates' | 'duplicateWorkflowTemplate' | 'generateWorkflow';

export interface AgentTemplateRouteDeps {
  generation: GenerateDeps;
}

/** Agents from templates and descriptions (contract 1.4). */
export function agentTemplateHandlers({
  generation,
}: AgentTemplateRouteDeps): Pick<Handlers<ServiceContext>, AgentTemplateRoute> {
  return {
    listWorkflowTemplates: () => Promise.resolve(listTemplates()),
    duplicateWorkflowTemplate: ({ ctx, input: { body } }) =>
      duplicateTemplate({ ctx, input: { templateId: body.template_id, name: body.workflow_name } }),
    generateWorkflow: ({ ctx, input: { body }, client: { signal } }) =>
      generateAgent({
        ctx,
        deps: generation,
        input: {
          callType: body.call_type,
          useCase: body.use_case,
          activityDescription: body.activity_description,
        },
        signal,
      }),
  };
}
