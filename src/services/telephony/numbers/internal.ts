import type { EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import { findRow, updateRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { phoneNumbers, type PhoneNumberRow } from '../../../db/tables/phone-numbers.ts';
import { isDuplicate } from '../../../db/transaction.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../domain/errors.ts';
import { readAddress } from '../../../domain/phone/address.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** Names a number and its connection. */
export interface NumberName {
  configurationId: number;
  id: number;
}

/** The number. Throws NotFoundError if it is unknown, or of another organization or connection. */
export async function findNumber(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { configurationId, id }: NumberName,
  options: { isLocked?: boolean } = {},
): Promise<PhoneNumberRow> {
  const row = await findRow(manager, phoneNumbers, { id, configurationId, organizationId }, options);
  if (row === null) throw new NotFoundError('Phone number not found');
  return row;
}

/**
 * Throws NotFoundError if the organization lacks the agent that is to answer, or if a trunk is named: trunks are
 * not supported.
 */
export async function requireInbound(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { agentId, trunkId }: { agentId: number | null; trunkId: number | null },
): Promise<void> {
  if (agentId !== null && (await findRow(manager, agents, { id: agentId, organizationId })) === null)
    throw new NotFoundError('Workflow not found');
  if (trunkId !== null) throw new NotFoundError('Telephony trunk not found');
}

/** Leaves the connection without a default caller. */
export async function clearDefaultCaller(
  tx: EntityManager,
  ctx: ServiceContext,
  configurationId: number,
): Promise<void> {
  await updateRows(tx, phoneNumbers, {
    where: { organizationId: ctx.organizationId, configurationId, isDefaultCallerId: true },
    change: { isDefaultCallerId: null, updatedAt: ctx.clock.now() },
  });
}

/**
 * The normalized address. Throws ValidationError with a record at the body (contract 12.2), which shows
 * `body`.
 */
export function requireAddress({
  address,
  countryCode,
  body,
}: {
  address: string;
  countryCode: string | null;
  body: unknown;
}): Pick<PhoneNumberRow, 'addressNormalized' | 'addressType'> {
  const read = readAddress(address, countryCode);
  switch (read.kind) {
    case 'read':
      return { addressNormalized: read.normalized, addressType: read.type };
    case 'country_needed':
      throw refused('a national number needs country_code, or write it with + and its country code', body);
    case 'unreadable':
      throw refused(
        countryCode === null
          ? 'address is not a phone number, extension or sip: address'
          : `address is not a phone number of ${countryCode}`,
        body,
      );
  }
}

function refused(text: string, body: unknown): ValidationError {
  return new ValidationError(text, {
    detail: [
      validationRecord(['body'], {
        type: 'value_error',
        msg: `Value error, ${text}`,
        input: body,
        ctx: { error: {} },
      }),
    ],
  });
}

/** Turns a violation of the unique number into a ConflictError; returns other errors unchanged. */
export function translateTakenNumber(error: unknown): unknown {
  return isDuplicate(error, 'uq_phone_numbers_address') ? takenNumber() : error;
}

export const takenNumber = (): ConflictError => new ConflictError('This phone number is already registered');
