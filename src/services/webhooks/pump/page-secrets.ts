import { In, IsNull } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { webhookEndpointSwitches } from '../../../db/tables/webhook-endpoint-switches.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { liveWebhookSecrets, resolveCredentialHeaders } from '../../identity/index.ts';
import { endpointKeyOf } from '../deliveries/endpoint.ts';
import type { SendingSecrets } from '../deliveries/send.ts';
import type { PumpDeps } from './deps.ts';

/** What a page of deliveries needs to be sent, read once for all of them. */
export interface PageSecrets {
  isOff: (delivery: DeliveryRow) => boolean;
  /** Rejects if what is stored cannot be read. */
  secretsOf: (delivery: DeliveryRow) => Promise<SendingSecrets>;
}

/** Throws UnavailableError. */
export async function readPageSecrets(
  { db, secrets }: Pick<PumpDeps, 'db' | 'secrets'>,
  page: readonly DeliveryRow[],
): Promise<PageSecrets> {
  const keyOf = new Map(page.map((row) => [row.id, endpointKeyOf(row)]));
  try {
    const live = remembered((organizationId: number) => liveWebhookSecrets({ db, secrets, organizationId }));
    const credential = remembered((text: string) => {
      const [organizationId, credentialUuid, url]: [number, string | null, string] = JSON.parse(text);
      return resolveCredentialHeaders({ db, secrets, organizationId, credentialUuid, url });
    });
    const secretsOf = async ({
      organizationId,
      credentialUuid,
      url,
    }: DeliveryRow): Promise<SendingSecrets> => {
      const [ofOrganization, ofCredential] = await Promise.all([
        live(organizationId),
        credential(JSON.stringify([organizationId, credentialUuid, url])),
      ]);
      return { live: ofOrganization, credential: ofCredential };
    };
    const [off] = await Promise.all([
      findRows(
        acrossOrganizations(db, 'the pump sends the webhooks of every organization'),
        webhookEndpointSwitches,
        {
          organizationId: In([...new Set(page.map(({ organizationId }) => organizationId))]),
          endpointKey: In([...new Set(keyOf.values())]),
          turnedOnAt: IsNull(),
        },
        { select: ['organizationId', 'endpointKey'] },
      ),
      // Read at once. What cannot be read fails its own deliveries only.
      ...page.map((row) => secretsOf(row).catch(() => null)),
    ]);
    const offKeys = new Set(off.map(({ organizationId, endpointKey }) => `${organizationId} ${endpointKey}`));
    return {
      isOff: (row) => offKeys.has(`${row.organizationId} ${keyOf.get(row.id) ?? ''}`),
      secretsOf,
    };
  } catch (error) {
    throw translateUnavailable(error);
  }
}

function remembered<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const values = new Map<Key, Promise<Value>>();
  return (key) => {
    const value = values.get(key) ?? read(key);
    values.set(key, value);
    return value;
  };
}
