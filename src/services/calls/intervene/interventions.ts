import { In, type DataSource } from 'typeorm';
import { Intervened } from '../../../contract/interventions.ts';
import { findRows } from '../../../db/rows.ts';
import { auditEvents } from '../../../db/tables/audit-events.ts';
import type { Intervention } from '../../../domain/call/intervention.ts';
import { findActors, wireTimestamp, type CallRef } from '../../kernel/index.ts';

/** The audit log's words for interventions. */
export const auditActions = {
  hang_up: 'call.hung_up',
  say: 'call.line_said',
  whisper: 'call.note_given',
  goto: 'call.moved',
  transfer: 'call.transferred',
  pause: 'call.agent_paused',
  resume: 'call.agent_resumed',
} as const satisfies Record<Intervention['kind'], string>;

const kinds = new Map<string, Intervention['kind']>(
  Intervened.shape.action.options.map((kind) => [auditActions[kind], kind]),
);

/** What somebody asked of a call. */
export interface CallIntervention {
  callId: number;
  intervened: Intervened;
}

/** What people asked of the call, in order, as the audit log has it. */
export async function interventionsIn(
  db: DataSource,
  { callId, organizationId }: CallRef,
): Promise<CallIntervention[]> {
  const found = await findRows(
    db,
    auditEvents,
    { organizationId, subjectKind: 'call', subjectKey: String(callId), action: In([...kinds.keys()]) },
    { order: { id: 'ASC' } },
  );
  if (found.length === 0) return [];
  const actorOf = await findActors(db.manager, organizationId, found);
  return found.flatMap((entry) => {
    const action = kinds.get(entry.action);
    const { type, id: actorId, name } = actorOf(entry);
    const intervened = {
      id: entry.uuid,
      requested_at: wireTimestamp(entry.createdAt),
      requested_by: { type, id: actorId, name },
    };
    return action === undefined ? [] : [{ callId, intervened: { action, ...intervened } }];
  });
}
