import { acrossOrganizations, findRow, findRows } from '../../../../db/rows.ts';
import { phoneNumbers, type PhoneNumberRow } from '../../../../db/tables/phone-numbers.ts';
import {
  telephonyConfigurations,
  type TelephonyConfigurationRow,
} from '../../../../db/tables/telephony-configurations.ts';
import { credentialText } from '../../../../domain/telephony/credentials.ts';
import type { CarrierMessage } from '../../../../providers/carrier/port.ts';
import { openCredentials } from '../../../telephony/index.ts';
import type { InboundDeps } from './deps.ts';

/** The called number and its connection. */
export interface Called {
  number: PhoneNumberRow;
  configuration: TelephonyConfigurationRow;
}

/**
 * Finds the called number and its connection by the number and the carrier's application; both must be active
 * (contract 12.5). The carrier names no organization: the number determines it. Null when none matches.
 */
export async function findCalled(
  { db, secrets }: Pick<InboundDeps, 'db' | 'secrets'>,
  { provider, to, connectionId }: Pick<CarrierMessage, 'to' | 'connectionId'> & { provider: string },
): Promise<Called | null> {
  if (to === null || connectionId === null) return null;
  for (const number of await findRows(
    acrossOrganizations(db, 'the called number says which organization is called'),
    phoneNumbers,
    { addressNormalized: to, isActive: true },
  )) {
    const configuration = await findRow(db.manager, telephonyConfigurations, {
      id: number.configurationId,
      organizationId: number.organizationId,
      provider,
    });
    if (configuration === null || configuration.inactiveSince !== null) continue;
    if (credentialText(openCredentials(secrets, configuration), 'connection_id') === connectionId)
      return { number, configuration };
  }
  return null;
}
