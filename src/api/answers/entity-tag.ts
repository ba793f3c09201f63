import type { Route } from '../../contract/route.ts';
import { agentTag } from '../../services/agents/index.ts';
import { campaignTag } from '../../services/campaigns/index.ts';
import { matchesTag } from '../../services/kernel/index.ts';
import { Reply } from './reply.ts';

const tags = { agent: agentTag, campaign: campaignTag };

/**
 * Adds the strong entity tag to an answer that is a record of this kind. An answer repeated for an
 * `Idempotency-Key` has the tag of the old record. If `If-None-Match` names the tag, the answer is a 304.
 * Clients may cache the answer but must revalidate it.
 */
export function withTag(
  reply: Reply,
  { kind, ifNoneMatch }: { kind: NonNullable<Route['taggedAs']>; ifNoneMatch: string | undefined },
): Reply {
  const { status, headers, content } = reply;
  if (
    status !== 200 ||
    content.kind !== 'json' ||
    typeof content.value !== 'object' ||
    content.value === null
  )
    return reply;
  const tag = tags[kind](content.value);
  const tagged = { ...headers, ETag: tag, 'Cache-Control': 'private, no-cache' };
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag))
    return new Reply(304, { kind: 'empty' }, tagged);
  return new Reply(status, content, tagged);
}
