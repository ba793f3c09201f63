import type { AuditEntry, AuditEntryDetail } from '../../../contract/audit-log.ts';
import type { AuditEventRow } from '../../../db/tables/audit-events.ts';
import { wireTimestamp } from '../../kernel/index.ts';

export function toAuditEntry(
  { uuid, createdAt, action, subjectKind, subjectKey, requestId, changes }: AuditEventRow,
  actor: AuditEntry['actor'],
): AuditEntry {
  return {
    id: uuid,
    created_at: wireTimestamp(createdAt),
    actor,
    action,
    object_type: subjectKind,
    object_id: subjectKey,
    request_id: requestId,
    details: wireKeys(changes),
  };
}

export function toAuditEntryDetail(row: AuditEventRow, actor: AuditEntry['actor']): AuditEntryDetail {
  const { diff } = row;
  return {
    ...toAuditEntry(row, actor),
    diff: diff?.operations ?? null,
    diff_is_complete: diff?.isWhole ?? true,
  };
}

/** Converts our camel-case names to the wire's snake case. */
function wireKeys(details: Record<string, unknown>): AuditEntry['details'] {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      wireValue(value),
    ]),
  );
}

function wireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wireValue);
  return typeof value === 'object' && value !== null ? wireKeys({ ...value }) : value;
}
