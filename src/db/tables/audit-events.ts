import { EntitySchema } from 'typeorm';
import { id, json, timestamp, nullable, reference, uuid, word } from './columns.ts';

/** One changed place (RFC 6902) with its earlier value. */
export interface DiffOperation {
  op: 'add' | 'remove' | 'replace';
  /** A JSON pointer. */
  path: string;
  value?: unknown;
  old_value?: unknown;
}

export interface StoredDiff {
  operations: DiffOperation[];
  /** False when the change was too large and only names the places. */
  isWhole: boolean;
}

/** Who changed what. Written in the transaction of the change. */
export interface AuditEventRow {
  id: number;
  uuid: string;
  organizationId: number;
  actorKind: string;
  actorId: number | null;
  /** The system that made the change; keys and users have columns of their own. */
  actorName: string | null;
  action: string;
  subjectKind: string;
  subjectId: number | null;
  /** The name of the subject in the API: its uuid or its id. */
  subjectKey: string | null;
  changes: Record<string, unknown>;
  /** Before and after; null when the action says everything. */
  diff: StoredDiff | null;
  requestId: string | null;
  createdAt: Date;
}

export const auditEvents = new EntitySchema<AuditEventRow>({
  name: 'audit_events',
  columns: {
    id: id('audit_events'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    actorKind: word('actor_kind', 16),
    actorId: nullable(reference('actor_id')),
    actorName: nullable(word('actor_name', 64)),
    action: word('action', 64),
    subjectKind: word('subject_kind', 32),
    subjectId: nullable(reference('subject_id')),
    subjectKey: nullable(word('subject_key', 64)),
    changes: json('changes'),
    diff: nullable(json('diff')),
    requestId: nullable(word('request_id', 128)),
    createdAt: timestamp('created_at'),
  },
  indices: [
    { name: 'uq_audit_events_uuid', columns: ['uuid'], unique: true },
    { name: 'ix_audit_events_object', columns: ['organizationId', 'subjectKind', 'subjectKey'] },
    { name: 'ix_audit_events_actor', columns: ['organizationId', 'actorKind', 'actorId'] },
    { name: 'ix_audit_events_created', columns: ['organizationId', 'createdAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_audit_events_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
