import { readSealedText, writeSealedText } from '../../domain/secrets/sealed-text.ts';
import type { SecretBox, SecretPlace } from '../../providers/secrets/port.ts';

/** Where secrets inside a graph are sealed for; webhooks carry their headers on as they are. */
export function definitionPlace(organizationId: number): SecretPlace {
  return { table: 'agent_versions', column: 'definition', organizationId };
}

/** Where secrets inside an agent's settings are sealed for. */
export function settingsPlace(organizationId: number): SecretPlace {
  return { table: 'agent_versions', column: 'settings', organizationId };
}

/** Seals a secret that a customer wrote, whatever it looks like. */
export function sealerOf(secrets: SecretBox, place: SecretPlace): (plain: string) => string {
  // guarantee: so-models-organizations-bring
  return (plain) => writeSealedText(secrets.seal(plain, place), plain);
}

/** Opens a stored secret; one that was stored in clear by an earlier release is what it is. */
export function openerOf(secrets: SecretBox, place: SecretPlace): (stored: string) => string {
  return (stored) => {
    const text = readSealedText(stored);
    return text === null ? stored : secrets.open(text.sealed, place);
  };
}

/** Seals what is stored in clear, and what is sealed under an older key; the rest stays as it is. */
export function resealerOf(secrets: SecretBox, place: SecretPlace): (stored: string) => string {
  const [seal, open] = [sealerOf(secrets, place), openerOf(secrets, place)];
  return (stored) => {
    const text = readSealedText(stored);
    return text !== null && secrets.isCurrent(text.sealed) ? stored : seal(open(stored));
  };
}
