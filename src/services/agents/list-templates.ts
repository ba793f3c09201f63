import type { WorkflowTemplate } from '../../contract/agent-templates.ts';
import { agentTemplates } from '../../domain/agent-templates/templates.ts';
import { toWorkflowTemplate } from './mapper.ts';

/** The shipped templates (contract 1.4), the same for all organizations. */
export function listTemplates(): WorkflowTemplate[] {
  return agentTemplates.map(toWorkflowTemplate);
}
