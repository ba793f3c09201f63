import { getRow } from '../../../db/rows.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { credentialText } from '../../../domain/telephony/credentials.ts';
import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import type { CarrierPort, LegResult } from '../../../providers/carrier/port.ts';
import { openCredentials } from '../accounts/configurations.ts';
import type { LineRef, PhoneDeps } from './deps.ts';

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

/** A leg that the carrier does not know is as good as over. */
export async function unlessGone(command: Promise<LegResult>): Promise<LegResult> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof CarrierError && (error.outcome === 'bad_leg' || error.outcome === 'ended'))
      return 'over';
    throw error;
  }
}

/** Where the carrier sends the events of a call's own leg (contract 12.4). */
export function eventsUrl({ publicUrl }: Pick<PhoneDeps, 'publicUrl'>, callId: number): string {
  return `${withoutSlash(publicUrl)}/api/v1/telephony/telnyx/events/${callId}`;
}

/**
 * Where it sends those of a leg that a transfer dials (contract 12.7). `transferId` is the leg's reference.
 */
export function transferUrl({ publicUrl }: Pick<PhoneDeps, 'publicUrl'>, transferId: string): string {
  return `${withoutSlash(publicUrl)}/api/v1/telephony/telnyx/transfer-result/${transferId}`;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** The carrier's words without telephone numbers, fit for a history. */
export { withoutNumbers as maskNumbers } from '../../../domain/phone/without-numbers.ts';
