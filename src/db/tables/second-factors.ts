import { EntitySchema } from 'typeorm';
import { integer, json, longText, nullable, primaryReference, timestamp } from './columns.ts';

/** The authenticator app of a user, whose codes a sign-in then demands. */
export interface SecondFactorRow {
  userId: number;
  secretEncrypted: string;
  /** Null until the user has sent a first code: nothing is demanded before. */
  onSince: Date | null;
  /** The step (RFC 6238) of the code that was accepted last. */
  lastStep: number | null;
  /** Hashes of the recovery codes that are left. */
  recoveryHashes: string[];
}

export const secondFactors = new EntitySchema<SecondFactorRow>({
  name: 'second_factors',
  columns: {
    userId: primaryReference('user_id', 'second_factors'),
    secretEncrypted: longText('secret_encrypted'),
    onSince: nullable(timestamp('on_since')),
    lastStep: nullable(integer('last_step')),
    recoveryHashes: json('recovery_hashes'),
  },
  foreignKeys: [
    {
      name: 'fk_second_factors_user',
      target: 'users',
      columnNames: ['userId'],
      referencedColumnNames: ['id'],
    },
  ],
});
