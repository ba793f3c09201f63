import { AgentPath, unknownAgent } from './agents.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** A day, or a moment with or without a zone. */
const bound = '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$';

/** Contract 1.4, 11.8. */
export const downloadWorkflowReport = route({
  method: 'get', path: '/workflow/{workflow_id}/report', id: 'downloadWorkflowReport', tag: 'Agents', auth: 'key', scope: 'read',
  summary: 'Download the calls of an agent as CSV',
  description: 'One line per call, oldest first, with a column for each variable that the versions of these calls extract. Texts that a spreadsheet would take for a formula begin with an apostrophe.',
  params: AgentPath,
  query: record({
    start_date: text({ pattern: bound }).optional().meta({ description: 'Created at this moment or later: a day, or ISO 8601; UTC unless it says otherwise.' }),
    end_date: text({ pattern: bound }).optional().meta({ description: 'Created before the end of this day, or until this moment.' }),
  }),
  answers: { 200: { description: 'The file.', mediaType: 'text/csv' }, 404: unknownAgent },
});
