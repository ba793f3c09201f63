import { InvariantError } from '../../domain/errors.ts';
import type { SecretBox, SecretPlace } from './port.ts';

/** Text that only this installation can seal, safe in a URL. */
export interface Tickets {
  seal(text: string): string;
  /** Null for text that this installation did not seal. */
  open(ticket: string): string | null;
}

const place: SecretPlace = { table: 'none', column: 'ticket', organizationId: 0 };

/** Tickets under the installation's key ring. Removing a key invalidates its tickets. */
export function createTickets(secrets: SecretBox): Tickets {
  return {
    seal: (text) => secrets.seal(text, place),
    open: (ticket) => {
      try {
        return secrets.open(ticket, place);
      } catch (error) {
        if (error instanceof InvariantError) return null; // clients may send any text as a ticket
        throw error;
      }
    },
  };
}
