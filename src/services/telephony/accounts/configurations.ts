import type { EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import {
  telephonyConfigurations,
  type TelephonyConfigurationRow,
} from '../../../db/tables/telephony-configurations.ts';
import {
  chooseConfiguration,
  type ChoosableConfiguration,
  type ConfigurationChoice,
} from '../../../domain/telephony/choose-configuration.ts';
import { isObject } from '../../../domain/graph/definition.ts';
import type { Credentials } from '../../../domain/telephony/credentials.ts';
import type { SecretBox, SecretPlace } from '../../../providers/secrets/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { OutboundCarriers } from '../outbound.ts';

/** Where the credentials of a connection are sealed for. */
export function telephonyPlace(organizationId: number): SecretPlace {
  return { table: 'telephony_configurations', column: 'credentials_encrypted', organizationId };
}

/** The credentials of a connection in clear. */
export function openCredentials(
  secrets: SecretBox,
  {
    organizationId,
    credentialsEncrypted,
  }: Pick<TelephonyConfigurationRow, 'organizationId' | 'credentialsEncrypted'>,
): Credentials {
  const credentials: unknown =
    credentialsEncrypted === ''
      ? {}
      : JSON.parse(secrets.open(credentialsEncrypted, telephonyPlace(organizationId)));
  return isObject(credentials) ? credentials : {};
}

export function sealCredentials(
  secrets: SecretBox,
  organizationId: number,
  credentials: Credentials,
): string {
  return secrets.seal(JSON.stringify(credentials), telephonyPlace(organizationId));
}

/** A connection of the organization with the ids of its active numbers. */
export interface OutboundConfiguration extends ChoosableConfiguration {
  activeNumberIds: number[];
}

/**
 * The connection that a call is to be made with (contract 5.1): the one of that id, or the organization's
 * choice.
 */
export async function findOutbound(
  manager: EntityManager,
  { organizationId, secrets }: Pick<ServiceContext, 'organizationId' | 'secrets'>,
  { carriers, id }: { carriers: Pick<OutboundCarriers, 'has'>; id: number | null },
): Promise<ConfigurationChoice<OutboundConfiguration>> {
  const rows = await findRows(manager, telephonyConfigurations, { organizationId }, { order: { id: 'ASC' } });
  const numbers = await findRows(
    manager,
    phoneNumbers,
    { organizationId, isActive: true },
    { select: ['id', 'configurationId'] },
  );
  const configurations = rows.map((row) => {
    const { id, name, provider, isDefaultOutbound, inactiveSince } = row;
    const activeNumberIds = numbers
      .filter(({ configurationId }) => configurationId === id)
      .map((number) => number.id);
    return {
      id,
      name,
      provider,
      isDefaultOutbound: isDefaultOutbound === true,
      isInactive: inactiveSince !== null,
      credentials: openCredentials(secrets, row),
      activeNumbers: activeNumberIds.length,
      activeNumberIds,
    };
  });
  return chooseConfiguration(configurations, { id, canDial: (provider) => carriers.has(provider) });
}
