import { MoreThan } from 'typeorm';
import { findRow, findRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { own } from '../../../domain/graph/definition.ts';
import { compareNumber } from '../../../domain/person/same-number.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { isOver } from './lock-call.ts';

/** Identifies a person; a call that matches any field is the person's. */
export interface PersonQuery {
  /** In E.164. */
  phone?: string | undefined;
  /** `ext_customer_id` of calls. */
  customerId?: string | undefined;
  /** Ids or uuids of calls. */
  calls?: readonly string[] | undefined;
  /** Also matches numbers that are stored without a country code. */
  includesNational?: boolean | undefined;
}

export interface FoundCall {
  callId: number;
  callUuid: string;
  isOver: boolean;
}

export interface FoundPerson {
  calls: FoundCall[];
  /** The number of calls that were left out because they hold the number without its country code. */
  nationalOnly: number;
  /** Named calls that the organization does not have. */
  unknown: string[];
}

/**
 * Keys of initial_context that identify the person of a call (contract 6.4). The call's two numbers are also
 * columns, but clients and endpoints may have written others under these keys.
 */
const numberKeys = ['phone_number', 'caller_number', 'called_number'] as const;
const customerKey = 'ext_customer_id';

const pageSize = 500;

type Candidate = Pick<CallRow, 'id' | 'uuid' | 'state' | 'callerNumber' | 'calledNumber' | 'initialContext'>;

/**
 * Finds every call of a person in the organization. Compares numbers in any notation that customers and
 * carriers use. Reads every call of the organization, because values of calls have no index. Throws
 * UnavailableError.
 */
export async function findPerson({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: PersonQuery;
}): Promise<FoundPerson> {
  const found = new Map<number, FoundCall>();
  const add = ({ id, uuid, state }: Candidate) =>
    found.set(id, { callId: id, callUuid: uuid, isOver: isOver({ state }) });
  const unknown: string[] = [];
  for (const named of input.calls ?? []) {
    const call = await namedCall(ctx, named);
    if (call === null) unknown.push(named);
    else add(call);
  }
  let nationalOnly = 0;
  if (input.phone !== undefined || input.customerId !== undefined) {
    for await (const call of allCalls(ctx)) {
      const match = matchOf(call, input);
      if (match === 'same' || (match === 'national' && input.includesNational === true)) add(call);
      else if (match === 'national') nationalOnly += 1;
    }
  }
  return {
    calls: [...found.values()].toSorted((one, other) => one.callId - other.callId),
    nationalOnly,
    unknown,
  };
}

function matchOf(
  { callerNumber, calledNumber, initialContext }: Candidate,
  { phone, customerId }: PersonQuery,
): 'same' | 'national' | 'other' {
  const customer = own(initialContext, customerKey);
  if (
    customerId !== undefined &&
    (typeof customer === 'string' || typeof customer === 'number') &&
    String(customer).trim() === customerId.trim()
  )
    return 'same';
  if (phone === undefined) return 'other';
  const written = numberKeys.map((key) => own(initialContext, key));
  const matches = [callerNumber, calledNumber, ...written].map((number) => compareNumber(phone, number));
  if (matches.includes('same')) return 'same';
  return matches.includes('national') ? 'national' : 'other';
}

async function namedCall({ db, organizationId }: ServiceContext, named: string): Promise<Candidate | null> {
  const isId = /^\d{1,15}$/.test(named);
  if (!isId && !isUuid(named)) return null;
  return await findRow(db, calls, {
    organizationId,
    ...(isId ? { id: Number(named) } : { uuid: named }),
  }).catch(rethrow);
}

async function* allCalls({ db, organizationId }: ServiceContext): AsyncGenerator<Candidate> {
  for (let after = 0; ;) {
    const page = await findRows(
      db,
      calls,
      { organizationId, id: MoreThan(after) },
      {
        select: ['id', 'uuid', 'state', 'callerNumber', 'calledNumber', 'initialContext'],
        order: { id: 'ASC' },
        take: pageSize,
      },
    ).catch(rethrow);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
