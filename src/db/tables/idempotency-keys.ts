import { EntitySchema } from 'typeorm';
import { id, integer, longText, timestamp, nullable, reference, word } from './columns.ts';

export type IdempotencyState = 'claimed' | 'completed';

/** The answer to a keyed request, or who is processing the request (contract 5.1). */
export interface IdempotencyKeyRow {
  id: number;
  organizationId: number;
  key: string;
  requestHash: string;
  state: IdempotencyState;
  claimExpiresAt: Date;
  subjectKind: string | null;
  subjectId: number | null;
  responseStatus: number | null;
  responseBody: string | null;
  createdAt: Date;
  expiresAt: Date;
}

export const idempotencyKeys = new EntitySchema<IdempotencyKeyRow>({
  name: 'idempotency_keys',
  columns: {
    id: id('idempotency_keys'),
    organizationId: reference('organization_id'),
    key: word('idempotency_key', 255),
    requestHash: word('request_hash', 64),
    state: word('state', 16),
    claimExpiresAt: timestamp('claim_expires_at'),
    subjectKind: nullable(word('subject_kind', 32)),
    subjectId: nullable(reference('subject_id')),
    responseStatus: nullable(integer('response_status')),
    responseBody: nullable(longText('response_body')),
    createdAt: timestamp('created_at'),
    expiresAt: timestamp('expires_at'),
  },
  indices: [
    { name: 'uq_idempotency_keys_key', columns: ['organizationId', 'key'], unique: true },
    { name: 'ix_idempotency_keys_expires_at', columns: ['expiresAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_idempotency_keys_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
