import { EntitySchema } from 'typeorm';
import { id, json, longText, timestamp, nullable, reference, word } from './columns.ts';

/** A key for the API. Only its SHA-256 is stored; people recognize it by its `prefix`. */
export interface ApiKeyRow {
  id: number;
  organizationId: number;
  userId: number;
  name: string;
  prefix: string;
  keyHash: string;
  /** The scopes of the key; null means all. */
  scopes: string[] | null;
  createdAt: Date;
  /** The key is invalid from then on; null means never. */
  expiresAt: Date | null;
  /** The key that this one replaces. A key is replaced once. */
  rotatedFromId: number | null;
  lastUsedAt: Date | null;
  archivedAt: Date | null;
}

export const apiKeys = new EntitySchema<ApiKeyRow>({
  name: 'api_keys',
  columns: {
    id: id('api_keys'),
    organizationId: reference('organization_id'),
    userId: reference('user_id'),
    name: longText('name'),
    prefix: word('prefix', 16),
    keyHash: word('key_hash', 64),
    scopes: nullable(json('scopes')),
    createdAt: timestamp('created_at'),
    expiresAt: nullable(timestamp('expires_at')),
    rotatedFromId: nullable(reference('rotated_from_id')),
    lastUsedAt: nullable(timestamp('last_used_at')),
    archivedAt: nullable(timestamp('archived_at')),
  },
  indices: [
    { name: 'uq_api_keys_key_hash', columns: ['keyHash'], unique: true },
    { name: 'uq_api_keys_rotated_from', columns: ['rotatedFromId'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_api_keys_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_api_keys_user', target: 'users', columnNames: ['userId'], referencedColumnNames: ['id'] },
  ],
});
