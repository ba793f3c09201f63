import type { TelephonyConfigurationRow } from '../../../db/tables/telephony-configurations.ts';
import type { PhoneNumberRow } from '../../../db/tables/phone-numbers.ts';
import { PreconditionError, ProviderError } from '../../../domain/errors.ts';
import { credentialText, type Credentials } from '../../../domain/telephony/credentials.ts';
import { displayNameOf } from '../../../domain/telephony/providers.ts';
import type { CarrierNumber, CarrierPort } from '../../../providers/carrier/port.ts';
import { accountOf } from '../accounts/account.ts';
import type { ConnectionDeps } from '../accounts/deps.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { openCredentials } from '../accounts/configurations.ts';
import type { ProviderSync } from './mapper.ts';

interface AtCarrier {
  ctx: ServiceContext;
  deps: Pick<ConnectionDeps, 'accounts' | 'carriers' | 'inboundUrl'>;
  connection: TelephonyConfigurationRow;
}

/**
 * Throws PreconditionError (400) if the account does not own the number, CarrierError (502) if the carrier
 * cannot be asked (contract 12.2, 12.4). Does not ask a carrier that this installation does not support.
 */
export async function requireOwned({
  ctx,
  deps,
  connection,
  address: { addressNormalized, addressType },
}: AtCarrier & { address: Pick<PhoneNumberRow, 'addressNormalized' | 'addressType'> }): Promise<void> {
  if (!deps.carriers.has(connection.provider)) return;
  const name = displayNameOf(connection.provider);
  if (addressType !== 'pstn')
    throw notOwned(`A ${name} account has only public phone numbers, no extensions or sip: addresses`);
  const { carrier } = accountAt({ ctx, deps, connection });
  if ((await carrier.findNumber(addressNormalized)) === null)
    throw notOwned(`The ${name} account does not own this phone number`);
}

const notOwned = (message: string): PreconditionError => new PreconditionError(message, { status: 400 });

/**
 * Has the carrier route the calls of a number to us, if an agent answers it: sets our URL at the carrier's
 * application (contract 12.4). Changes nothing for a number without an agent, because other numbers share the
 * application. Never throws a carrier's error, because the number is already stored.
 */
export async function syncInbound({
  ctx,
  deps,
  connection,
  number,
}: AtCarrier & { number: PhoneNumberRow }): Promise<ProviderSync> {
  // guarantee: shared-application-left-alone
  if (number.inboundAgentId === null)
    return { ok: true, message: 'No agent answers this number; nothing was changed at the carrier' };
  if (!deps.carriers.has(connection.provider))
    return {
      ok: false,
      message: `This installation does not support ${connection.provider}: route its calls at the carrier`,
    };
  try {
    const { carrier, credentials } = accountAt({ ctx, deps, connection });
    return await routeCalls(carrier, {
      connectionId: credentialText(credentials, 'connection_id'),
      address: number.addressNormalized,
      inboundUrl: deps.inboundUrl,
    });
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof PreconditionError)) throw error;
    ctx.log.warn(
      { err: error, organizationId: ctx.organizationId, phoneNumberId: number.id },
      'The carrier could not be set up to route calls here',
    );
    return { ok: false, message: `The carrier could not be set up to route calls here: ${error.message}` };
  }
}

/** The carrier's PATCH requires the application's current name. */
async function routeCalls(
  carrier: CarrierPort,
  { connectionId, address, inboundUrl }: { connectionId: string | null; address: string; inboundUrl: string },
): Promise<ProviderSync> {
  const application = connectionId === null ? null : await carrier.findApplication(connectionId);
  if (application === null)
    return {
      ok: false,
      message: 'The account has no such Call Control application: save the configuration again',
    };
  if (application.webhookUrl !== inboundUrl)
    await carrier.updateApplication({
      connectionId: application.connectionId,
      name: application.name,
      webhookUrl: inboundUrl,
    });
  const elsewhere = leadsElsewhere(await carrier.findNumber(address), application.connectionId);
  return elsewhere === null
    ? { ok: true, message: 'The carrier routes calls to this number here' }
    : { ok: false, message: elsewhere };
}

function leadsElsewhere(number: CarrierNumber | null, connectionId: string): string | null {
  if (number === null) return 'The account no longer owns this number';
  return number.connectionId === connectionId
    ? null
    : `Calls to this number do not go to application ${connectionId}: assign the number to it at the carrier`;
}

function accountAt({ ctx, deps, connection }: AtCarrier): { carrier: CarrierPort; credentials: Credentials } {
  const credentials = openCredentials(ctx.secrets, connection);
  return { carrier: accountOf(deps, { provider: connection.provider, credentials }), credentials };
}
