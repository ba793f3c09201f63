import { EntitySchema } from 'typeorm';
import { id, json, moment, nullable, reference, uuid, word } from '../columns.ts';

/** Who changed what. Written in the transaction of the change. */
export interface AuditEventRow {
  id: number;
  uuid: string;
  organizationId: number;
  actorKind: string;
  actorId: number | null;
  action: string;
  subjectKind: string;
  subjectId: number | null;
  changes: Record<string, unknown>;
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
    action: word('action', 64),
    subjectKind: word('subject_kind', 32),
    subjectId: nullable(reference('subject_id')),
    changes: json('changes'),
    requestId: nullable(word('request_id', 128)),
    createdAt: moment('created_at'),
  },
  indices: [
    { name: 'uq_audit_events_uuid', columns: ['uuid'], unique: true },
    { name: 'ix_audit_events_subject', columns: ['organizationId', 'subjectKind', 'subjectId'] },
  ],
  foreignKeys: [
    { name: 'fk_audit_events_organization', target: 'organizations', columnNames: ['organizationId'], referencedColumnNames: ['id'] },
  ],
});
