import { EntitySchema } from 'typeorm';
import { id, json, timestamp, nullable, reference, uuid, word } from '../columns.ts';

/** One place that changed (RFC 6902), with what was there before. */
export interface DiffOperation {
  op: 'add' | 'remove' | 'replace';
  /** A JSON pointer. */
  path: string;
  value?: unknown;
  old_value?: unknown;
}

export interface StoredDiff {
  operations: DiffOperation[];
  /** False: it was too large, and names the places alone. */
  isWhole: boolean;
}

/** Who changed what. Written in the transaction of the change. */
export interface AuditEventRow {
  id: number;
  uuid: string;
  organizationId: number;
  actorKind: string;
  actorId: number | null;
  /** Of the system; keys and users have names of their own. */
  actorName: string | null;
  action: string;
  subjectKind: string;
  subjectId: number | null;
  /** What the API names it by: a uuid, or the id again. */
  subjectKey: string | null;
  changes: Record<string, unknown>;
  /** Before and after; null where the action says it all. */
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
