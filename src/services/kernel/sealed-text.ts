import { InvariantError } from '../../domain/errors.ts';
import { readSealedText, writeSealedText } from '../../domain/secrets/sealed-text.ts';
import type { SecretBox, SecretPlace } from '../../providers/secrets/port.ts';

/** The place that secrets in a definition are sealed for. Deliveries copy their headers sealed for it. */
export function definitionPlace(organizationId: number): SecretPlace {
  return { table: 'agent_versions', column: 'definition', organizationId };
}

/** The place that secrets in an agent's settings are sealed for. */
export function settingsPlace(organizationId: number): SecretPlace {
  return { table: 'agent_versions', column: 'settings', organizationId };
}

/** Seals a secret that a customer wrote, even if it looks sealed. */
export function sealerOf(secrets: SecretBox, place: SecretPlace): (plain: string) => string {
  // guarantee: model-keys-sealed-in-database
  return (plain) => writeSealedText(secrets.seal(plain, place), plain);
}

/** Opens a stored secret. Throws InvariantError if the text is not sealed. */
export function openerOf(secrets: SecretBox, place: SecretPlace): (stored: string) => string {
  return (stored) => secrets.open(sealedIn(stored), place);
}

/** Seals under the first key a secret that is sealed under another key; returns any other unchanged. */
export function resealerOf(secrets: SecretBox, place: SecretPlace): (stored: string) => string {
  const [seal, open] = [sealerOf(secrets, place), openerOf(secrets, place)];
  return (stored) => (secrets.isCurrent(sealedIn(stored)) ? stored : seal(open(stored)));
}

function sealedIn(stored: string): string {
  const text = readSealedText(stored);
  if (text === null) throw new InvariantError('A stored secret is not sealed');
  return text.sealed;
}
