import { EntitySchema } from 'typeorm';
import { longText, timestamp, word } from '../columns.ts';

/** Something that the operator has stopped for everybody; the row is gone when it goes on. */
export interface InstallationStopRow {
  what: 'dialing';
  since: Date;
  /** For people; empty = none was given. */
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
