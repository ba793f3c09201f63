import { getRow } from '../../../db/rows.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { credentialText } from '../../../domain/telephony/credentials.ts';
import type { CarrierPort } from '../../../providers/carrier/port.ts';
import type { LineRef, PhoneDeps } from '../legs/deps.ts';
import { openCredentials } from './configurations.ts';

/** The account and the application of a connection. Throws PreconditionError when it is not set up. */
export async function openLine(
  { db, secrets, accounts }: Pick<PhoneDeps, 'db' | 'secrets' | 'accounts'>,
  { organizationId, configurationId }: Pick<LineRef, 'organizationId' | 'configurationId'>,
): Promise<{ carrier: CarrierPort; connectionId: string }> {
  const credentials = openCredentials(
    secrets,
    await getRow(db.manager, telephonyConfigurations, { id: configurationId, organizationId }),
  );
  const [apiKey, connectionId] = [
    credentialText(credentials, 'api_key'),
    credentialText(credentials, 'connection_id'),
  ];
  if (apiKey === null || connectionId === null)
    throw new PreconditionError('the telephony configuration has no API key or no application');
  return { carrier: accounts({ apiKey }), connectionId };
}
