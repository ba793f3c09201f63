import { readTopics } from '../../domain/events/topics.ts';
import { type EventHub, followEvents } from '../../services/events/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import { streamReply } from '../answers/reply.ts';
import type { Handlers } from '../bind.ts';

export interface EventRouteDeps {
  events: EventHub;
}

/** No proxy may hold events back. The connection ends with the stream, so that a process can stop. */
const headers = {
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** The stream of events (contract 6.11). */
export function eventHandlers({
  events: hub,
}: EventRouteDeps): Pick<Handlers<ServiceContext>, 'streamEvents'> {
  return {
    streamEvents: async ({ ctx, input: { query, headers: sent }, client: { signal, again } }) => {
      const input = { topics: readTopics(query.topics), after: sent['Last-Event-ID'], signal, again };
      return streamReply('text/event-stream', await followEvents(ctx, { hub, input }), headers);
    },
  };
}
