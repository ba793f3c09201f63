import { findRow } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { textSessions, type TextSessionRow } from '../../../db/tables/text-sessions.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { TextSessionRef } from './deps.ts';

export interface FoundSession {
  call: CallRow;
  session: TextSessionRow;
}

/**
 * Finds the text session of that agent in the requesting organization; throws NotFoundError (contract 6.10).
 */
export async function findSession(
  ctx: ServiceContext,
  { agentId, callId }: TextSessionRef,
): Promise<FoundSession> {
  const { organizationId } = ctx;
  const [call, session] = await Promise.all([
    findRow(ctx.db.manager, calls, { id: callId, agentId, organizationId }),
    findRow(ctx.db.manager, textSessions, { callId, organizationId }),
  ]);
  if (call === null || session === null) throw new NotFoundError('Text chat session not found');
  return { call, session };
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
