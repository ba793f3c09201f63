import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { credentialText, haveSameSecrets, type Credentials } from '../../../domain/telephony/credentials.ts';
import { displayNameOf } from '../../../domain/telephony/providers.ts';
import type { CarrierAccount, CarrierApplication, CarrierPort } from '../../../providers/carrier/port.ts';
import type { ConnectionDeps } from './deps.ts';

interface Preparing {
  deps: Pick<ConnectionDeps, 'accounts' | 'carriers' | 'inboundUrl'>;
  provider: string;
  /** Of the connection. */
  name: string;
  /** As they are to be, secrets in clear. */
  credentials: Credentials;
  /** As they are; null for a new connection. */
  stored: Credentials | null;
}

/**
 * The credentials as they are stored, after asking the carrier whether it takes them. The application is
 * found, or made where none is named (contract 12.4); one that is there already stays the connection's.
 * Carriers that this installation does not speak with are not asked. Nothing is asked either where neither
 * key nor application changes.
 *
 * Throws PreconditionError (400) for what the carrier refuses, CarrierError (502) when it cannot be asked.
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
    if (!(await carrier.checkCredentials()))
      throw refused(`${displayNameOf(provider)} does not take this API key`);
    return await findOrMake(carrier, {
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
 * The account of a connection at its carrier. Throws PreconditionError (400) where this installation speaks
 * with none.
 */
export function accountOf(
  { accounts }: Pick<ConnectionDeps, 'accounts'>,
  account: CarrierAccount,
): CarrierPort {
  if (accounts === undefined)
    throw refused('This installation speaks with no carrier, so an account cannot be checked');
  return accounts(account);
}

/** One that was made for an earlier key may be of another account: then another is made. */
async function findOrMake(
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

/** What the carrier refuses is the caller's to mend; that it cannot be asked is not. */
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
