import { EntitySchema } from 'typeorm';
import { longText, timestamp, word } from './columns.ts';

/** Something that the operator has stopped for all organizations; the row is deleted when it resumes. */
export interface InstallationStopRow {
  what: 'dialing';
  since: Date;
  /** For people; empty without one. */
  reason: string;
}

export const installationStops = new EntitySchema<InstallationStopRow>({
  name: 'installation_stops',
  columns: {
    what: { ...word('what', 32), primary: true, primaryKeyConstraintName: 'pk_installation_stops' },
    since: timestamp('since'),
    reason: longText('reason'),
  },
});
