import type { EntityManager } from 'typeorm';
import type { PhoneNumber } from '../../../contract/phone-numbers.ts';
import { findRow, insertRow } from '../../../db/rows.ts';
import { phoneNumbers, type PhoneNumberRow } from '../../../db/tables/phone-numbers.ts';
import { appendAudit, type ServiceContext, madeBefore, once, type Write, write } from '../../kernel/index.ts';
import type { ConnectionDeps } from '../accounts/deps.ts';
import { findConnection } from '../accounts/internal.ts';
import {
  clearDefaultCaller,
  findNumber,
  requireAddress,
  requireInbound,
  takenNumber,
  translateTakenNumber,
} from './internal.ts';
import { auditedNumber, toPhoneNumber } from './mapper.ts';
import { requireOwned, syncInbound } from './provider-sync.ts';

export interface PhoneNumberInput {
  configurationId: number;
  address: string;
  countryCode: string | null;
  label: string | null;
  inboundAgentId: number | null;
  isActive: boolean;
  isDefaultCallerId: boolean;
  trunkId: number | null;
  extraMetadata: Record<string, unknown>;
  /** The request's body as it was sent, for a validation error about the whole body. */
  body: unknown;
}

type Address = Pick<PhoneNumberRow, 'addressNormalized' | 'addressType'>;

/**
 * Adds a number that the account owns (contract 12.2, 12.4). If an agent answers it, has the carrier route
 * its calls to us; the answer says whether that worked, and the number is stored either way.
 *
 * Throws ValidationError, NotFoundError, ConflictError for a number that the organization already has,
 * PreconditionError (400) for one that the account does not own, CarrierError (502) if the carrier cannot be
 * asked.
 */
export async function createPhoneNumber({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: ConnectionDeps;
  input: PhoneNumberInput;
}): Promise<PhoneNumber> {
  const { manager } = ctx.db;
  const address = requireAddress(input);
  const connection = await findConnection(manager, ctx, input.configurationId);
  if (madeBefore(ctx, 'phone_number') === null) {
    await requireInbound(manager, ctx, { agentId: input.inboundAgentId, trunkId: input.trunkId });
    await requireFree(manager, ctx, address);
    // guarantee: number-must-belong-to-account
    await requireOwned({ ctx, deps, connection, address });
  }
  const number = await store(ctx, input, address);
  return toPhoneNumber(number, { sync: await syncInbound({ ctx, deps, connection, number }) });
}

async function requireFree(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { addressNormalized }: Address,
): Promise<void> {
  if ((await findRow(manager, phoneNumbers, { organizationId, addressNormalized })) !== null)
    throw takenNumber();
}

async function store(
  ctx: ServiceContext,
  input: PhoneNumberInput,
  address: Address,
): Promise<PhoneNumberRow> {
  try {
    return await write(ctx, async (tx) => {
      const make = async () => {
        const row = await insertNumber(tx, ctx, { input, address });
        return { id: row.id, answer: row };
      };
      return await once(tx, {
        kind: 'phone_number',
        make,
        again: (id) => findNumber(tx, ctx, { configurationId: input.configurationId, id }),
      });
    });
  } catch (error) {
    throw translateTakenNumber(error);
  }
}

/** Locks the connection, so that it is not deleted meanwhile and only one number becomes its default. */
async function insertNumber(
  tx: Write,
  ctx: ServiceContext,
  { input, address }: { input: PhoneNumberInput; address: Address },
): Promise<PhoneNumberRow> {
  const { id: configurationId } = await findConnection(tx, ctx, input.configurationId, { isLocked: true });
  await requireInbound(tx, ctx, { agentId: input.inboundAgentId, trunkId: input.trunkId });
  if (input.isDefaultCallerId) await clearDefaultCaller(tx, ctx, configurationId);
  const now = ctx.clock.now();
  const { address: typed, label, inboundAgentId, isActive, extraMetadata } = input;
  const row = await insertRow(tx, phoneNumbers, {
    organizationId: ctx.organizationId,
    configurationId,
    address: typed,
    ...address,
    countryCode: input.countryCode?.toUpperCase() ?? null,
    label,
    inboundAgentId,
    isActive,
    isDefaultCallerId: input.isDefaultCallerId ? (true as const) : null,
    extraMetadata,
    createdAt: now,
    updatedAt: now,
  });
  await appendAudit(tx, {
    action: 'phone_number.created',
    subjectKind: 'phone_number',
    subjectId: row.id,
    states: { before: null, after: auditedNumber(row) },
  });
  return row;
}
