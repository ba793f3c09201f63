import { z } from 'zod';
import { statusFilter } from './agents.ts';
import { Author, DateTime, ErrorBody, HTTPValidationError } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { masked, withoutNumbers } from './personal.ts';
import { route } from './route.ts';

/** The list of agents for people, an addition to the published interface (contract 1.5). */

const version = { version_number: z.int(), at: DateTime };

export const WorkflowOverview = z
  .object({
    id: z.int(),
    name: z.string(),
    status: z.enum(['active', 'archived']),
    workflow_uuid: z.string(),
    created_at: DateTime,
    folder: z
      .object({ id: z.int(), name: z.string() })
      .nullable()
      .meta({ description: 'Folder of the agent. Null if it is in none.' }),
    published: z
      .object(version)
      .nullable()
      .meta({ description: 'The published version, which new calls use. Null if there is none.' }),
    draft: z
      .object({ ...version, changes: z.int() })
      .nullable()
      .meta({ description: 'The draft. Null if there is none.' }),
    problems: z.int(),
    own_models: z.array(z.enum(['llm', 'tts', 'stt'])).meta({
      description:
        "Services whose model the published version, or else the draft, sets over the organization's.",
    }),
    used_by: z
      .object({
        campaigns: z.array(z.object({ id: z.int(), name: z.string(), state: z.string() })),
        phone_numbers: z.array(
          z.object({
            id: z.int(),
            address: masked(z.string()),
            label: withoutNumbers(z.string().nullable()),
          }),
        ),
        trigger_paths: z.array(z.string()),
      })
      .meta({ description: 'What an archived agent would leave without answer.' }),
    last_7_days: z
      .object({
        calls: z.int(),
        outcomes: z.array(z.object({ disposition: z.string(), calls: z.int() })),
        latency_p95_ms: z.int().nullable(),
      })
      .meta({ description: 'Figures of the calls that were created in the last 7 days, tests included.' }),
    changed_at: DateTime,
    changed_by: Author.nullable().meta({
      description: 'Author of the last change. Null if none is recorded.',
    }),
    outline: z
      .object({
        nodes: z.array(
          z.object({ id: z.string(), type: z.string().nullable(), x: z.number(), y: z.number() }),
        ),
        edges: z.array(z.array(z.string()).length(2)),
      })
      .meta({ description: 'The graph that is shown, for a small picture.' }),
  })
  .meta({ id: 'WorkflowOverview', description: 'An agent with its versions, its use and its figures.' });
export type WorkflowOverview = z.infer<typeof WorkflowOverview>;

export const WorkflowOverviewPage = z
  .object({
    items: z.array(WorkflowOverview),
    total_count: z.int().meta({ description: 'Number of agents that the filters select.' }),
    limit: z.int().meta({ description: 'Maximum number of agents per page.' }),
    offset: z.int().meta({ description: 'Number of agents before the first one.' }),
  })
  .meta({ id: 'WorkflowOverviewPage', description: 'A page of agents.' });
export type WorkflowOverviewPage = z.infer<typeof WorkflowOverviewPage>;

export const listWorkflowOverviews = route({
  method: 'get',
  path: '/workflow/overview',
  id: 'listWorkflowOverviews',
  tag: 'Agents',
  auth: 'key',
  scope: 'read',
  summary: 'List agents with their versions, use and figures',
  description:
    'Returns a page of agents as a console shows them: what is published, how far the draft is ahead, who uses the agent and how its calls of the last 7 days went.',
  query: record({
    search: text({ max: 255 })
      .optional()
      .meta({ description: 'Only agents whose name contains this text, in upper or lower case.' }),
    status: statusFilter,
    folder_id: text({ pattern: '^(none|[1-9][0-9]{0,14})$' })
      .optional()
      .meta({ description: 'Only agents in this folder. `none` selects agents without a folder.' }),
    sort_by: literal('name', 'created_at', 'changed_at')
      .optional()
      .meta({ override: { default: 'changed_at' } }),
    sort_order: literal('asc', 'desc')
      .optional()
      .meta({ override: { default: 'desc' } }),
    limit: integer({ ge: 1, le: 500 })
      .optional()
      .meta({ override: { default: 50 } }),
    offset: integer({ ge: 0, le: 1_000_000_000 })
      .optional()
      .meta({ override: { default: 0 } }),
  }),
  answers: {
    200: { description: 'A page of agents.', schema: WorkflowOverviewPage },
    422: {
      description: 'Field faults (array), or an unknown status (string).',
      schema: z.union([HTTPValidationError, ErrorBody]),
    },
  },
});
