import { z } from 'zod';
import { LiveRun } from './calls.ts';
import { ErrorBody, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Data of `call`. `events` are those from the index `from` on, which replace what the client has from there on. */
export const CallEvent = LiveRun.extend({ from: z.int() });
export type CallEvent = z.infer<typeof CallEvent>;

/** Data of `calls`: the calls that began, changed or ended. */
export const CallsEvent = z.object({
  calls: z.array(
    z.object({
      id: z.int(),
      workflow_id: z.int(),
      campaign_id: z.int().nullable(),
      state: LiveRun.shape.state,
      disposition: z.string().nullable(),
    }),
  ),
});
export type CallsEvent = z.infer<typeof CallsEvent>;

/** At most this many topics in a stream. */
export const maxTopics = 100;

const topicPattern = '(org|call:[1-9][0-9]{0,15})';

export const streamEvents = route({
  method: 'get',
  path: '/events',
  id: 'streamEvents',
  tag: 'Calls',
  auth: 'key',
  scope: 'read',
  summary: 'Follow calls as they happen',
  description:
    'Streams server-sent events. A stream begins with `ready`, then tells what each topic has come to, and from then on what changes, within about a second. `call` has the data of `getLiveWorkflowRun`, with only the events from the index `from` on. `calls` has `calls`, each with `id`, `workflow_id`, `campaign_id`, `state` and `disposition`: at first those that are live. `reset` says that events may be missing; what each topic has come to follows. `end` is the last event of a caller who may no longer read. A comment follows after 15 s without an event. A key or user has at most 5 streams.',
  query: record({
    topics: text({
      min: 1,
      max: 2000,
      pattern: `^${topicPattern}(,${topicPattern}){0,${maxTopics - 1}}$`,
    }).meta({
      description:
        '`org` for the calls of the organization, `call:<id>` for one call with its words, separated by commas.',
      examples: ['org'],
    }),
  }),
  headers: record({
    'Last-Event-ID': text().optional().meta({
      description:
        'Id of the last event that the client has. The events since then follow, if they are not older than a minute, else `reset`.',
    }),
  }),
  answers: {
    200: { description: 'Events.', mediaType: 'text/event-stream' },
    404: notFound("A topic names a call that is not in the caller's organization."),
    429: { description: 'The key or user already has 5 streams.', schema: ErrorBody },
  },
});
