import { AgentPath, unknownAgent } from './agents.ts';
import { record } from './lax/collections.ts';
import { route } from './route.ts';
import { createdBetween } from './usage.ts';

/** Contract 1.4, 11.8. */
export const downloadWorkflowReport = route({
  method: 'get',
  path: '/workflow/{workflow_id}/report',
  id: 'downloadWorkflowReport',
  tag: 'Agents',
  auth: 'key',
  scope: 'read',
  summary: 'Download the calls of an agent as CSV',
  description:
    'One line per call, oldest first, with a column for each variable that the versions of these calls extract. Text that a spreadsheet would read as a formula is prefixed with an apostrophe.',
  params: AgentPath,
  query: record(createdBetween),
  answers: { 200: { description: 'The file.', mediaType: 'text/csv' }, 404: unknownAgent },
});
