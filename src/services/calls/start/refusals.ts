import type { EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';
import { NotFoundError, PreconditionError, ValidationError } from '../../../domain/errors.ts';
import { phoneNumberPattern, readDialed } from '../../../domain/phone/dialed.ts';
import { dialedDigits, phoneDigits } from '../../../domain/phone/digits.ts';
import { chooseCallerNumber, type CallerNumber } from '../../../domain/telephony/caller-number.ts';
import type { ConfigurationChoice } from '../../../domain/telephony/choose-configuration.ts';
import { dialFaultWords } from '../../../domain/telephony/dial-rule.ts';
import { findSuppressed } from '../../contacts/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { dayLimitError } from '../../models/index.ts';
import {
  findDialLimit,
  policyFault,
  type OutboundConfiguration,
  type TelephonyDeps,
} from '../../telephony/index.ts';

type Choice = ConfigurationChoice<OutboundConfiguration>;

/** The connection of a trigger's call. Throws as `requireConnection`, but an unknown id is 404 (contract 5.2). */
export function requireForTrigger(choice: Choice): OutboundConfiguration {
  if (choice.kind === 'unknown') throw new NotFoundError('Telephony configuration not found');
  return requireConnection(choice);
}

/** The connection to dial with. Throws PreconditionError (400) with the `detail` of contract 5.5. */
export function requireConnection(choice: Choice): OutboundConfiguration {
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
 * The number that the callee sees, chosen by `chooseCallerNumber`. Throws PreconditionError (400) for a
 * number that is not on the connection or not active (contract 5.2).
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

/**
 * Throws ValidationError with the record of contract 5.4 for a number that cannot be dialed, and with that of
 * contract 5.7 for one that the organization does not dial.
 */
export function requireDialable(
  policy: DialPolicy,
  phoneNumber: string,
  { provider }: OutboundConfiguration,
): void {
  const dialed = readDialed(phoneNumber, { isOwnPbx: provider === 'ari' });
  if (dialed === null) throw notANumber(phoneNumber);
  // guarantee: dial-rule-refuses-the-request
  const fault = policyFault(policy, dialed);
  if (fault === null) return;
  throw new ValidationError('The phone number is not dialed', {
    detail: [
      validationRecord(['body', 'phone_number'], {
        type: fault,
        msg: `This number is not dialed: ${dialFaultWords[fault]}`,
        input: phoneNumber,
      }),
    ],
  });
}

/** Throws LimitError (429) if a daily limit of the organization is reached (contract 5.7). */
export async function requireDayLeft(
  tx: EntityManager,
  { organizationId, secrets, clock }: Pick<ServiceContext, 'organizationId' | 'secrets' | 'clock'>,
  { policy, limits, versionId }: Pick<TelephonyDeps, 'limits'> & { policy: DialPolicy; versionId: number },
): Promise<void> {
  const at = { db: tx, organizationId, now: clock.now() };
  const reached = await findDialLimit({ at, policy, secrets, limits, versionId });
  if (reached !== null) throw dayLimitError(reached, at.now);
}

function notANumber(phoneNumber: string): ValidationError {
  const fault = {
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${phoneNumberPattern}'`,
    input: phoneNumber,
    ctx: { pattern: phoneNumberPattern },
  };
  return new ValidationError('The phone number cannot be dialed', {
    detail: [validationRecord(['body', 'phone_number'], fault)],
  });
}

/**
 * Throws ValidationError for a number on the organization's suppression list, which holds for single requests
 * as for campaigns. The message names the requests that show and remove the entry.
 */
export async function requireNotSuppressed(
  tx: EntityManager,
  organizationId: number,
  phoneNumber: string,
): Promise<void> {
  // The list holds a number as contact files are read. The dialed digits may differ, as in `+49 (0)151 …`.
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
