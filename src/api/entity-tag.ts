import { agentTag, matchesTag } from '../services/agents/index.ts';
import { Reply } from './reply.ts';

/**
 * Adds the strong entity tag to an answer that is a workflow record. An answer repeated for an
 * `Idempotency-Key` has the tag of the old record. If `If-None-Match` names the tag, the answer is a 304.
 * Clients may cache the answer but must revalidate it.
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
