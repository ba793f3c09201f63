import type { EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import { NotFoundError, PreconditionError, ValidationError } from '../../../domain/errors.ts';
import { phoneNumberPattern, readDialed } from '../../../domain/phone/dialed.ts';
import { dialedDigits, phoneDigits } from '../../../domain/phone/digits.ts';
import { chooseCallerNumber, type CallerNumber } from '../../../domain/telephony/caller-number.ts';
import type { ConfigurationChoice } from '../../../domain/telephony/choose-configuration.ts';
import { findSuppressed } from '../../contacts/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { OutboundConfiguration } from '../../telephony/index.ts';

type Choice = ConfigurationChoice<OutboundConfiguration>;

/** The connection of a trigger's call. Throws with the words of contract 5.2. */
export function requireForTrigger(choice: Choice): OutboundConfiguration {
  switch (choice.kind) {
    case 'ready':
      return choice.configuration;
    case 'not_ready':
      throw notReady(choice);
    case 'unknown':
      throw new NotFoundError('Telephony configuration not found');
    case 'none':
      throw badRequest('Telephony provider not configured for this organization');
  }
}

/** The connection of initiate-call. Throws PreconditionError (400) with the words of contract 5.5. */
export function requireForInitiate(choice: Choice): OutboundConfiguration {
  switch (choice.kind) {
    case 'ready':
      return choice.configuration;
    case 'not_ready':
      throw notReady(choice);
    case 'unknown':
      throw badRequest('telephony_configuration_not_found');
    case 'none':
      throw badRequest('telephony_not_configured');
  }
}

/**
 * The number that the person sees, by `chooseCallerNumber`. Throws PreconditionError (400) for one that the
 * connection does not have, or that is not active (contract 5.2).
 */
export function requireCallerNumber(
  { ids }: Pick<ServiceContext, 'ids'>,
  { callerNumbers }: OutboundConfiguration,
  wantedId: number | null,
): CallerNumber {
  const chosen = chooseCallerNumber(callerNumbers, { wantedId, random: (below) => ids.integer(below) });
  if (chosen === null) throw badRequest('from_phone_number_not_found');
  return chosen;
}

/** Throws ValidationError with the record of contract 5.4 for what cannot be dialed. */
export function requireDialable(phoneNumber: string, { provider }: OutboundConfiguration): void {
  if (readDialed(phoneNumber, { isOwnPbx: provider === 'ari' }) !== null) return;
  const fault = {
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${phoneNumberPattern}'`,
    input: phoneNumber,
    ctx: { pattern: phoneNumberPattern },
  };
  throw new ValidationError('The phone number cannot be dialed', {
    detail: [validationRecord(['body', 'phone_number'], fault)],
  });
}

/**
 * Throws ValidationError for a number that the organization never dials: whoever it belongs to does not want
 * to be called, by a request as little as by a campaign. It names the way out, which is for those who may
 * change the list.
 */
export async function requireNotSuppressed(
  tx: EntityManager,
  organizationId: number,
  phoneNumber: string,
): Promise<void> {
  // The list has a number as contact files read it; what is dialed may have digits more, such as the 0 of
  // `+49 (0)151 …`.
  const forms = [phoneDigits(phoneNumber), dialedDigits(phoneNumber)].filter((form) => form !== null);
  if ((await findSuppressed(tx, organizationId, forms)).size === 0) return;
  const msg =
    "Value error, this number is on the organization's list of numbers that are not dialed; GET /suppressions?number= says why, DELETE /suppressions/{id} takes it off";
  throw new ValidationError('The phone number is on the suppression list', {
    detail: [
      validationRecord(['body', 'phone_number'], {
        type: 'value_error',
        msg,
        input: phoneNumber,
        ctx: { error: {} },
      }),
    ],
  });
}

export function badRequest(message: string): PreconditionError {
  return new PreconditionError(message, { status: 400 });
}

function notReady({ name, reason }: Extract<Choice, { kind: 'not_ready' }>): PreconditionError {
  return badRequest(`The telephony configuration '${name}' is not ready for outbound calls: ${reason}`);
}
