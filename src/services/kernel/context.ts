import type { DataSource } from 'typeorm';
import { InvariantError } from '../../domain/errors.ts';
import type { InstalledModels } from '../../domain/models/installed.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { Logger } from '../../runtime/logger.ts';

/** The actor of a request or change. */
export type Actor =
  /** `mayRead` is false for a key without the scope `read`: it sees only what it made itself. */
  | { kind: 'api_key'; apiKeyId: number; userId: number; mayRead: boolean }
  | { kind: 'user'; userId: number; sessionId?: number }
  | { kind: 'system'; name: string };

/** What every service function gets: the organization, the actor and the dependencies. */
export interface ServiceContext {
  organizationId: number;
  actor: Actor;
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** Seals the keys that customers write. */
  secrets: SecretBox;
  /** The installation's models, for answers about models. */
  installedModels?: InstalledModels | undefined;
  requestId?: string;
}

/** The user that the actor acts for. Throws InvariantError for the system. */
export function actingUserId({ actor }: Pick<ServiceContext, 'actor'>): number {
  if (actor.kind === 'system') throw new InvariantError(`${actor.name} acts for no user`);
  return actor.userId;
}
