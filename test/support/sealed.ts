import type { SecretPlace } from '../../src/providers/secrets/port.ts';
import { openerOf } from '../../src/services/kernel/sealed-text.ts';
import { testSecrets } from './database.ts';

/**
 * The sealed secrets of a stored document, opened for their place and in order; throws for a secret of
 * another place.
 */
export function openedIn(stored: string | undefined, place: SecretPlace): string[] {
  return [...(stored ?? '').matchAll(/"(sealed:[^"]+)"/g)].map(([, sealed = '']) =>
    openerOf(testSecrets, place)(sealed),
  );
}
