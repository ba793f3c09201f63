import type { SecretPlace } from '../../src/providers/secrets/port.ts';
import { openerOf } from '../../src/services/kernel/sealed-text.ts';
import { testSecrets } from './database.ts';

/**
 * The secrets that a stored document holds sealed, opened for their place and in order; one that is not of
 * that place throws.
 */
export function openedIn(stored: string | undefined, place: SecretPlace): string[] {
  return [...(stored ?? '').matchAll(/"(sealed:[^"]+)"/g)].map(([, sealed = '']) =>
    openerOf(testSecrets, place)(sealed),
  );
}
