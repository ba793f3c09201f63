import type { DataSource } from 'typeorm';
import type { SecretBox, SecretPlace } from '../../providers/secrets/port.ts';
import type { Clock } from '../../runtime/clock.ts';

export interface SeatDeps {
  db: DataSource;
  secrets: SecretBox;
  clock: Clock;
}

/** The place that the token of a stream is sealed for. */
export const tokenPlace = (organizationId: number): SecretPlace => ({
  table: 'call_seats',
  column: 'token_encrypted',
  organizationId,
});
