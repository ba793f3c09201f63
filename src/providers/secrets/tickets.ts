import { InvariantError } from '../../domain/errors.ts';
import type { SecretBox, SecretPlace } from './port.ts';

/** Text that only this installation can have made, safe in a URL. */
export interface Tickets {
  seal(text: string): string;
  /** Null for whatever this installation did not seal. */
  open(ticket: string): string | null;
}

const place: SecretPlace = { table: 'none', column: 'ticket', organizationId: 0 };

/** Tickets under the installation's key ring; a rotated-out key makes its tickets worthless. */
export function createTickets(secrets: SecretBox): Tickets {
  return {
    seal: (text) => secrets.seal(text, place),
    open: (ticket) => {
      try {
        return secrets.open(ticket, place);
      } catch (error) {
        if (error instanceof InvariantError) return null; // anybody can write a ticket: a wrong one is no bug of ours
        throw error;
      }
    },
  };
}
