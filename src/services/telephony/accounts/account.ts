import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { credentialText, haveSameSecrets, type Credentials } from '../../../domain/telephony/credentials.ts';
import { displayNameOf } from '../../../domain/telephony/providers.ts';
import type { CarrierAccount, CarrierApplication, CarrierPort } from '../../../providers/carrier/port.ts';
import type { ConnectionDeps } from './deps.ts';

interface Preparing {
  deps: Pick<ConnectionDeps, 'accounts' | 'carriers' | 'inboundUrl'>;
  provider: string;
  /** The name of the connection. */
  name: string;
  /** The requested credentials, with secrets in clear. */
  credentials: Credentials;
  /** The stored credentials; null for a new connection. */
  stored: Credentials | null;
}

/**
 * Answers the credentials to store, after the carrier has accepted them. Uses the application that the
 * request names, else the connection's own, and creates one if there is neither (contract 12.4). Does not ask
 * a carrier that this installation does not support, and does not ask if neither key nor application changes.
 *
 * Throws PreconditionError (400) if the carrier refuses, CarrierError (502) if it cannot be asked.
 */
export async function prepareAccount({
  deps,
  provider,
  name,
  credentials,
  stored,
}: Preparing): Promise<Credentials> {
  if (!deps.carriers.has(provider)) return credentials;
  const known = stored === null ? null : credentialText(stored, 'connection_id');
  const wanted = credentialText(credentials, 'connection_id') ?? known;
  if (
    stored !== null &&
    wanted !== null &&
    wanted === known &&
    haveSameSecrets(provider, credentials, stored)
  )
    return { ...credentials, connection_id: known, has_outbound_profile: stored['has_outbound_profile'] };
  const carrier = accountOf(deps, { provider, credentials });
  const application = await refusals(async () => {
    if (!(await carrier.checkCredentials())) throw refused(`${displayNameOf(provider)} rejects this API key`);
    return await findOrCreate(carrier, {
      wanted,
      isNamed: credentialText(credentials, 'connection_id') !== null,
      name,
      webhookUrl: deps.inboundUrl,
    });
  });
  return {
    ...credentials,
    connection_id: application.connectionId,
    has_outbound_profile: application.hasOutboundProfile,
  };
}

/**
 * The account of a connection at its carrier. Throws PreconditionError (400) if this installation has no
 * carrier.
 */
export function accountOf(
  { accounts }: Pick<ConnectionDeps, 'accounts'>,
  account: CarrierAccount,
): CarrierPort {
  if (accounts === undefined)
    throw refused('This installation has no carrier, so an account cannot be checked');
  return accounts(account);
}

/** The stored application may belong to the account of an earlier key: then this creates a new one. */
async function findOrCreate(
  carrier: CarrierPort,
  {
    wanted,
    isNamed,
    name,
    webhookUrl,
  }: { wanted: string | null; isNamed: boolean; name: string; webhookUrl: string },
): Promise<CarrierApplication> {
  const found = wanted === null ? null : await carrier.findApplication(wanted);
  if (found !== null) return found;
  if (isNamed) throw refused(`The account has no Call Control application ${wanted}`);
  return await carrier.createApplication({ name: `Parlance: ${name}`, webhookUrl });
}

/** Turns a carrier's refusal into a 400, because the client can fix it; other errors pass. */
async function refusals<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CarrierError && (error.outcome === 'refused' || error.outcome === 'setup'))
      throw refused(`The carrier refused: ${error.carrierMessage ?? error.message}`, error);
    throw error;
  }
}

function refused(message: string, cause?: unknown): PreconditionError {
  return new PreconditionError(message, { status: 400, cause });
}
