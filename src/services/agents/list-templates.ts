import type { WorkflowTemplate } from '../../contract/agent-templates.ts';
import { agentTemplates } from '../../domain/agent-templates/templates.ts';
import { toWorkflowTemplate } from './mapper.ts';

/** The templates that are shipped (contract 1.4); nobody's in particular. */
export function listTemplates(): WorkflowTemplate[] {
  return agentTemplates.map(toWorkflowTemplate);
}
