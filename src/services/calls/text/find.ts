import { aliased, queryRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { textSessions, type TextSessionRow } from '../../../db/tables/text-sessions.ts';
import { turns, type TurnRow } from '../../../db/tables/turns.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { may, type Actor, type ServiceContext } from '../../kernel/index.ts';
import type { TextSessionRef } from './deps.ts';

export interface FoundSession {
  call: CallRow;
  session: TextSessionRow;
}

/** A turn of a conversation: of two, the one with the higher branch, then with the higher index, is later. */
type TurnPlace = Pick<TurnRow, 'branch' | 'turnIndex'>;

/**
 * Finds the text session of that agent in the requesting organization; throws NotFoundError (contract 6.10),
 * also for a session that a key without the scope `read` did not start.
 */
export async function findSession(
  ctx: ServiceContext,
  { agentId, callId }: TextSessionRef,
): Promise<FoundSession> {
  const { organizationId } = ctx;
  const [call, session] = [aliased(ctx.db, calls, 'c'), aliased(ctx.db, textSessions, 's')];
  // One statement: the call has what the session's revision promises, such as extracted values.
  const [found] = await queryRows<Record<string, unknown>>(ctx.db, {
    organizationId,
    sql: `SELECT ${session.columns}, ${call.columns} FROM text_sessions s
      JOIN calls c ON c.id = s.call_id AND c.organization_id = s.organization_id
      WHERE s.call_id = ? AND s.organization_id = ? AND c.agent_id = ?`,
    values: [callId, organizationId, agentId],
  });
  return requireUsable(
    ctx,
    found === undefined ? null : { call: call.rowOf(found), session: session.rowOf(found) },
  );
}

/** The same with the turns that were written after one. */
export async function findSessionSince(
  ctx: ServiceContext,
  { agentId, callId }: TextSessionRef,
  { branch, turnIndex }: TurnPlace,
): Promise<FoundSession & { written: TurnRow[] }> {
  const { organizationId } = ctx;
  const call = aliased(ctx.db, calls, 'c');
  const session = aliased(ctx.db, textSessions, 's');
  const turn = aliased(ctx.db, turns, 't');
  const found = await queryRows<Record<string, unknown>>(ctx.db, {
    organizationId,
    sql: `SELECT ${session.columns}, ${call.columns}, ${turn.columns} FROM text_sessions s
      JOIN calls c ON c.id = s.call_id AND c.organization_id = s.organization_id
      LEFT JOIN turns t ON t.call_id = s.call_id AND t.organization_id = s.organization_id
        AND (t.branch > ? OR (t.branch = ? AND t.turn_index > ?))
      WHERE s.call_id = ? AND s.organization_id = ? AND c.agent_id = ?
      ORDER BY t.branch, t.turn_index`,
    values: [branch, branch, turnIndex, callId, organizationId, agentId],
  });
  const [first] = found;
  const both = requireUsable(
    ctx,
    first === undefined ? null : { call: call.rowOf(first), session: session.rowOf(first) },
  );
  return { ...both, written: found.filter((row) => row['t_id'] !== null).map(turn.rowOf) };
}

function requireUsable(ctx: ServiceContext, found: FoundSession | null): FoundSession {
  if (found === null || !mayUse(ctx, found.session)) throw new NotFoundError('Text chat session not found');
  return found;
}

function mayUse({ actor }: ServiceContext, { createdByApiKeyId }: TextSessionRow): boolean {
  // guarantee: blind-key-uses-own-sessions
  return mayReadAll(actor) || (actor.kind === 'api_key' && createdByApiKeyId === actor.apiKeyId);
}

/** True if answers may show the conversation; otherwise only its new turn (contract 5.6). */
export function mayReadAll(actor: Actor): boolean {
  return may(actor, 'read');
}

/** True when the session accepts no further messages. */
export function isClosed({ call, session }: FoundSession): boolean {
  return (
    session.status === 'completed' ||
    call.state === 'ending' ||
    call.state === 'ended' ||
    call.state === 'refused'
  );
}
