import type { DataSource } from 'typeorm';
import type { CallRow } from '../../../db/tables/calls.ts';
import { InvariantError, PreconditionError } from '../../../domain/errors.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import { callInputOf } from './call-input.ts';
import type { OutboundCarrier } from '../../telephony/index.ts';
import { phoneChannel } from './phone-channel.ts';

export interface PhoneCallDeps {
  db: DataSource;
  calls: Pick<CallStarter, 'startPhoneCall'>;
}

/** Phone calls that Workflows dial. */
export function createPhoneCalls(deps: PhoneCallDeps): OutboundCarrier {
  return { startCall: (call) => startCall(deps, call) };
}

async function startCall({ db, calls }: PhoneCallDeps, call: CallRow): Promise<void> {
  const { configurationId, phoneNumberId } = call;
  if (configurationId === null || phoneNumberId === null)
    throw new InvariantError('A phone call has no connection or no number');
  const input = await callInputOf(db.manager, call, (settings) =>
    phoneChannel(settings, { provider: call.mode, direction: 'outbound', configurationId, phoneNumberId }),
  );
  const answer = await calls.startPhoneCall(input);
  if (answer.kind === 'refused')
    throw new PreconditionError(`Failed to initiate call: ${answer.message}`, { status: 400 });
}
