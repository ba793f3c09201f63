import { EntitySchema } from 'typeorm';
import { integer, primaryReference, word } from './columns.ts';

/** What an organization has used on a day, for its daily limits; no row before the first use. */
export interface OrganizationDayRow {
  organizationId: number;
  /** `2026-11-21`, in the organization's time zone. */
  day: string;
  /** Dials of calls and of transfers that no carrier refused. */
  dials: number;
  /** Of spoken calls that have ended, and of samples of the installation's voices. */
  talkedSeconds: number;
  /** To the installation's language model. */
  modelRequests: number;
}

export const organizationDays = new EntitySchema<OrganizationDayRow>({
  name: 'organization_days',
  columns: {
    organizationId: primaryReference('organization_id', 'organization_days'),
    day: { ...word('day', 10), primary: true, primaryKeyConstraintName: 'pk_organization_days' },
    dials: integer('dials'),
    talkedSeconds: integer('talked_seconds'),
    modelRequests: integer('model_requests'),
  },
  foreignKeys: [
    {
      name: 'fk_organization_days_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
