import { getRow } from '../../../db/rows.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { credentialText, hasRequired } from '../../../domain/telephony/credentials.ts';
import type { CarrierPort } from '../../../providers/carrier/port.ts';
import type { PhoneCallRef, PhoneDeps } from '../legs/deps.ts';
import { openCredentials } from './configurations.ts';

/** The account and the application of a connection. Throws PreconditionError if they are not set up. */
export async function openAccount(
  { db, secrets, accounts }: Pick<PhoneDeps, 'db' | 'secrets' | 'accounts'>,
  { organizationId, configurationId }: Pick<PhoneCallRef, 'organizationId' | 'configurationId'>,
): Promise<{ carrier: CarrierPort; connectionId: string }> {
  const configuration = await getRow(db.manager, telephonyConfigurations, {
    id: configurationId,
    organizationId,
  });
  const { provider } = configuration;
  const credentials = openCredentials(secrets, configuration);
  const connectionId = credentialText(credentials, 'connection_id');
  if (connectionId === null || !hasRequired(provider, credentials))
    throw new PreconditionError('the telephony configuration has no API key or no application');
  return { carrier: accounts({ provider, credentials }), connectionId };
}
