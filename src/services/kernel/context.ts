import type { DataSource } from 'typeorm';
import type { Role, Scope } from '../../contract/data/scopes.ts';
import { InvariantError } from '../../domain/errors.ts';
import { permits, type Granted } from '../../domain/keys/permits.ts';
import type { InstalledModels } from '../../domain/models/installed.ts';
import { scopesOfRoles } from '../../domain/people/roles.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { Logger } from '../../runtime/logger.ts';

/** The actor of a request or change. */
export type Actor =
  | { kind: 'api_key'; apiKeyId: number; userId: number; scopes: Granted }
  /** Without a role the actor may do nothing that a scope decides. */
  | { kind: 'user'; userId: number; sessionId?: number; role?: Role }
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

/** The scopes of the actor: those of its key or of its role, or all for the service itself. */
export function grantedTo(actor: Actor): Granted {
  switch (actor.kind) {
    case 'api_key':
      return actor.scopes;
    case 'user':
      return actor.role === undefined ? [] : scopesOfRoles[actor.role];
    case 'system':
      return null;
  }
}

/** What the actor may do, and what lets it, as a refusal names that. */
export const grantOf = (actor: Actor): { scopes: Granted; holder: string } => ({
  scopes: grantedTo(actor),
  holder: actor.kind === 'user' ? 'Your role' : 'This API key',
});

/** Whether the actor has the scope. */
export const may = (actor: Actor, scope: Scope): boolean => permits(grantedTo(actor), scope);
