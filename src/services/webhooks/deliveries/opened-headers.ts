import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { isSecretHeader } from '../../../domain/delivery/masking.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { definitionPlace, openerOf } from '../../kernel/index.ts';

/** The custom headers of a webhook with their secrets in clear, for sending. */
export function openedHeaders(
  secrets: SecretBox,
  { organizationId, headers }: Pick<DeliveryRow, 'organizationId' | 'headers'>,
): DeliveryRow['headers'] {
  const open = openerOf(secrets, definitionPlace(organizationId));
  return headers.map(({ key, value }) => ({
    key,
    value: isSecretHeader(key) && value.trim() !== '' ? open(value) : value,
  }));
}
