import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import {
  telephonyConfigurations,
  type TelephonyConfigurationRow,
} from '../../src/db/tables/telephony-configurations.ts';
import type { CallRow } from '../../src/db/tables/calls.ts';
import type { OutboundCarrier } from '../../src/services/telephony/index.ts';
import type { Db } from '../../src/db/rows.ts';
import { sealCredentials } from '../../src/services/telephony/accounts/configurations.ts';
import { insertedId } from './inserted-id.ts';
import { testSecrets } from './secrets.ts';

/** A carrier that accepts every call; tests replace its answers. */
export interface FakeCarrier extends OutboundCarrier {
  started: CallRow[];
  answer: () => Promise<void>;
}

export function createFakeCarrier(): FakeCarrier {
  const carrier: FakeCarrier = {
    started: [],
    answer: () => Promise.resolve(),
    startCall: async (call) => {
      carrier.started.push(call);
      await carrier.answer();
    },
  };
  return carrier;
}

/** A connection of the organization with one active number. */
export async function insertConnection(
  db: Db,
  organizationId: number,
  { numbers = [true], ...changes }: Partial<TelephonyConfigurationRow> & { numbers?: boolean[] } = {},
): Promise<{ configurationId: number; numberIds: number[] }> {
  const at = new Date('2026-11-21T10:00:00.000Z');
  const credentialsEncrypted = sealCredentials(testSecrets, organizationId, {
    api_key: 'simulated-key',
    connection_id: '1494404757140276705',
    webhook_public_key: 'A'.repeat(43) + '=',
  });
  const name = `line ${Math.random()}`;
  const configurationId = await insertedId(
    db.getRepository(telephonyConfigurations).insert({
      organizationId,
      name,
      provider: 'telnyx',
      connectivity: 'api',
      isDefaultOutbound: null,
      credentialsEncrypted,
      inactiveSince: null,
      inactiveReason: null,
      createdAt: at,
      updatedAt: at,
      ...changes,
    }),
  );
  const numberIds: number[] = [];
  for (const [index, isActive] of numbers.entries()) {
    const address = `+1555${configurationId}${index}`;
    numberIds.push(
      await insertedId(
        db.getRepository(phoneNumbers).insert({
          organizationId,
          configurationId,
          address,
          addressNormalized: address,
          addressType: 'pstn',
          countryCode: null,
          label: null,
          inboundAgentId: null,
          isActive,
          isDefaultCallerId: null,
          extraMetadata: {},
          createdAt: at,
          updatedAt: at,
        }),
      ),
    );
  }
  return { configurationId, numberIds };
}
