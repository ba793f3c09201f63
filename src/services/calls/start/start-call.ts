import type { DataSource } from 'typeorm';
import { findRow, findRows } from '../../../db/rows.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { phoneNumbers, type PhoneNumberRow } from '../../../db/tables/phone-numbers.ts';
import { InvariantError, PreconditionError } from '../../../domain/errors.ts';
import { own } from '../../../domain/graph/definition.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import { callInputOf } from './call-input.ts';
import type { OutboundCarrier } from '../../telephony/index.ts';
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
  const number = await chooseNumber({ db, random }, call, configurationId);
  const input = await callInputOf(db.manager, call, (version) =>
    phoneChannel(version, { direction: 'outbound', configurationId, phoneNumberId: number.id }),
  );
  const answer = await calls.startPhoneCall(input);
  if (answer.kind === 'refused')
    throw new PreconditionError(`Failed to initiate call: ${answer.message}`, { status: 400 });
}

/**
 * The number that the person sees: the one that was asked for, the default one, else any active one (contract
 * 12.3).
 */
async function chooseNumber(
  { db, random }: Pick<PhoneCallDeps, 'db' | 'random'>,
  { organizationId, initialContext }: CallRow,
  configurationId: number,
): Promise<PhoneNumberRow> {
  const wished = own(initialContext, 'from_phone_number_id');
  const asked =
    typeof wished === 'number'
      ? await findRow(db.manager, phoneNumbers, { id: wished, organizationId, configurationId })
      : null;
  if (asked !== null) return asked;
  const active = await findRows(db.manager, phoneNumbers, {
    organizationId,
    configurationId,
    isActive: true,
  });
  const chosen =
    active.find(({ isDefaultCallerId }) => isDefaultCallerId === true) ??
    active[random(Math.max(1, active.length))];
  if (chosen === undefined)
    throw new PreconditionError('The connection has no active phone number any more', { status: 400 });
  return chosen;
}
