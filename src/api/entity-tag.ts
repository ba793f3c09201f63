import { agentTag, matchesTag } from '../services/agents/index.ts';
import { Reply } from './reply.ts';

/**
 * An answer that is a workflow record, with its strong entity tag; also one that is repeated for an
 * Idempotency-Key, whose tag is then that of the record as it was. A read whose `If-None-Match` names it
 * becomes a 304. Copies may be kept, but are to be asked for each time.
 */
export function withTag(reply: Reply, ifNoneMatch: string | undefined): Reply {
  const { status, headers, content } = reply;
  if (
    status !== 200 ||
    content.kind !== 'json' ||
    typeof content.value !== 'object' ||
    content.value === null
  )
    return reply;
  const tag = agentTag(content.value);
  const tagged = { ...headers, ETag: tag, 'Cache-Control': 'private, no-cache' };
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag))
    return new Reply(304, { kind: 'empty' }, tagged);
  return new Reply(status, content, tagged);
}
