import type { PhoneNumber } from '../../../contract/phone-numbers.ts';
import { updateRows } from '../../../db/rows.ts';
import { phoneNumbers, type PhoneNumberRow } from '../../../db/tables/phone-numbers.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import type { ConnectionDeps } from '../accounts/deps.ts';
import { findConnection } from '../accounts/internal.ts';
import { findNumber, requireInbound, type NumberName } from './internal.ts';
import { auditedNumber, toPhoneNumber } from './mapper.ts';
import { syncInbound } from './provider-sync.ts';

/** Undefined fields stay unchanged. */
export interface PhoneNumberChange extends NumberName {
  label: string | undefined;
  /** Null removes the agent. */
  inboundAgentId: number | null | undefined;
  isActive: boolean | undefined;
  countryCode: string | undefined;
  extraMetadata: Record<string, unknown> | undefined;
  trunkId: number | null;
}

/**
 * Changes a number (contract 12.2), but not its address. The answer says whether the change at the carrier
 * worked; the number is stored either way. Throws NotFoundError.
 */
export async function updatePhoneNumber({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: ConnectionDeps;
  input: PhoneNumberChange;
}): Promise<PhoneNumber> {
  const connection = await findConnection(ctx.db.manager, ctx, input.configurationId);
  const number = await store(ctx, input);
  return toPhoneNumber(number, { sync: await syncInbound({ ctx, deps, connection, number }) });
}

async function store(
  ctx: ServiceContext,
  { configurationId, id, trunkId, ...given }: PhoneNumberChange,
): Promise<PhoneNumberRow> {
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    const row = await findNumber(tx, ctx, { configurationId, id }, { isLocked: true });
    await requireInbound(tx, ctx, { agentId: given.inboundAgentId ?? null, trunkId });
    const fields = Object.entries({ ...given, countryCode: given.countryCode?.toUpperCase() }).filter(
      ([, value]) => value !== undefined,
    );
    const change: Partial<PhoneNumberRow> = { ...Object.fromEntries(fields), updatedAt: ctx.clock.now() };
    await updateRows(tx, phoneNumbers, { where: { id, organizationId }, change });
    const changed = { ...row, ...change };
    const names = fields.map(([name]) => name);
    if (names.length > 0)
      await appendAudit(tx, {
        action: 'phone_number.updated',
        subjectKind: 'phone_number',
        subjectId: id,
        changes: { fields: names },
        states: { before: auditedNumber(row), after: auditedNumber(changed) },
      });
    return changed;
  });
}
