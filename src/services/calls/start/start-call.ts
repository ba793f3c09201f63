import type { DataSource } from 'typeorm';
import type { CallRow } from '../../../db/tables/calls.ts';
import { InvariantError, PreconditionError } from '../../../domain/errors.ts';
import { own } from '../../../domain/graph/definition.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import { callInputOf } from './call-input.ts';
import { findCallerNumber, type OutboundCarrier } from '../../telephony/index.ts';
import { phoneChannel } from './phone-channel.ts';

export interface PhoneCallDeps {
  db: DataSource;
  calls: Pick<CallStarter, 'startPhoneCall'>;
  /** A random integer in `[0, below)`. */
  random: (below: number) => number;
}

/** Calls over the carriers that Workflows dial with. */
export function createPhoneCalls(deps: PhoneCallDeps): OutboundCarrier {
  return { startCall: (call) => startCall(deps, call) };
}

async function startCall({ db, calls, random }: PhoneCallDeps, call: CallRow): Promise<void> {
  const configurationId = own(call.initialContext, 'telephony_configuration_id');
  if (typeof configurationId !== 'number')
    throw new InvariantError('A call by phone was begun without a connection');
  const { organizationId, initialContext } = call;
  const asked = own(initialContext, 'from_phone_number_id');
  const number = await findCallerNumber(
    db.manager,
    { integer: random },
    { organizationId, configurationId },
    typeof asked === 'number' ? asked : null,
  );
  if (number === null)
    throw new PreconditionError(
      asked === undefined
        ? 'The connection has no active phone number any more'
        : 'The phone number that was asked for is not active any more',
      { status: 400 },
    );
  const input = await callInputOf(db.manager, call, (version) =>
    phoneChannel(version, {
      provider: call.mode,
      direction: 'outbound',
      configurationId,
      phoneNumberId: number.id,
    }),
  );
  const answer = await calls.startPhoneCall(input);
  if (answer.kind === 'refused')
    throw new PreconditionError(`Failed to initiate call: ${answer.message}`, { status: 400 });
}
