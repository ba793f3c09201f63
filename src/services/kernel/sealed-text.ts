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

/** Opens a stored secret; returns one that an earlier release stored in clear unchanged. */
export function openerOf(secrets: SecretBox, place: SecretPlace): (stored: string) => string {
  return (stored) => {
    const text = readSealedText(stored);
    return text === null ? stored : secrets.open(text.sealed, place);
  };
}

/** Seals a secret that is stored in clear or under an older key; returns any other unchanged. */
export function resealerOf(secrets: SecretBox, place: SecretPlace): (stored: string) => string {
  const [seal, open] = [sealerOf(secrets, place), openerOf(secrets, place)];
  return (stored) => {
    const text = readSealedText(stored);
    return text !== null && secrets.isCurrent(text.sealed) ? stored : seal(open(stored));
  };
}
