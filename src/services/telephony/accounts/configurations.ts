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
import type { CallerNumber } from '../../../domain/telephony/caller-number.ts';
import { isObject } from '../../../domain/graph/definition.ts';
import type { Credentials } from '../../../domain/telephony/credentials.ts';
import type { SecretBox, SecretPlace } from '../../../providers/secrets/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { OutboundCarriers } from '../outbound.ts';

/** The place that the credentials of a connection are sealed for. */
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

/** A connection of the organization with its active numbers, oldest first. */
export interface OutboundConfiguration extends ChoosableConfiguration {
  callerNumbers: CallerNumber[];
}

/**
 * Chooses the connection for a call (contract 5.1): the one with that id, or the organization's choice if the
 * id is null.
 */
export async function findOutbound(
  manager: EntityManager,
  { organizationId, secrets }: Pick<ServiceContext, 'organizationId' | 'secrets'>,
  { carriers, id }: { carriers: Pick<OutboundCarriers, 'has'>; id: number | null },
): Promise<ConfigurationChoice<OutboundConfiguration>> {
  const rows = await findRows(manager, telephonyConfigurations, { organizationId }, { order: { id: 'ASC' } });
  const numbers = await activeNumbers(manager, { organizationId });
  const configurations = rows.map((row) => {
    const { id, name, provider, isDefaultOutbound, inactiveSince } = row;
    const callerNumbers = numbers.filter(({ configurationId }) => configurationId === id);
    return {
      id,
      name,
      provider,
      isDefaultOutbound: isDefaultOutbound === true,
      isInactive: inactiveSince !== null,
      credentials: openCredentials(secrets, row),
      activeNumbers: callerNumbers.length,
      callerNumbers,
    };
  });
  return chooseConfiguration(configurations, { id, canDial: (provider) => carriers.has(provider) });
}

/** Active numbers of the organization, or of one of its connections, oldest first. */
export async function activeNumbers(
  manager: EntityManager,
  where: { organizationId: number; configurationId?: number },
): Promise<(CallerNumber & { configurationId: number })[]> {
  const rows = await findRows(
    manager,
    phoneNumbers,
    { ...where, isActive: true },
    { select: ['id', 'configurationId', 'addressNormalized', 'isDefaultCallerId'], order: { id: 'ASC' } },
  );
  return rows.map(({ id, configurationId, addressNormalized, isDefaultCallerId }) => ({
    id,
    configurationId,
    address: addressNormalized,
    isDefault: isDefaultCallerId === true,
  }));
}
