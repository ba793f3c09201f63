import type { PhoneNumber } from '../../../contract/phone-numbers.ts';
import { findRow, updateRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { appendAudit, type ServiceContext, once, write } from '../../kernel/index.ts';
import { findConnection } from '../accounts/internal.ts';
import { clearDefaultCaller, findNumber, type NumberName } from './internal.ts';
import { toPhoneNumber } from './mapper.ts';

/**
 * From now on, the connection's calls that name no number show this one (contract 12.2, 12.3). Throws
 * NotFoundError.
 */
export async function setDefaultCaller({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: NumberName;
}): Promise<PhoneNumber> {
  const { organizationId } = ctx;
  const { configurationId } = input;
  return await write(ctx, async (tx) => {
    const again = async (id: number) => toPhoneNumber(await findNumber(tx, ctx, { configurationId, id }));
    const make = async () => {
      await findConnection(tx, ctx, configurationId, { isLocked: true });
      const { id } = await findNumber(tx, ctx, input, { isLocked: true });
      const former = await findRow(tx, phoneNumbers, {
        organizationId,
        configurationId,
        isDefaultCallerId: true,
      });
      await clearDefaultCaller(tx, ctx, configurationId);
      await updateRows(tx, phoneNumbers, {
        where: { id, organizationId },
        change: { isDefaultCallerId: true, updatedAt: ctx.clock.now() },
      });
      await appendAudit(tx, {
        action: 'phone_number.made_default_caller',
        subjectKind: 'phone_number',
        subjectId: id,
        changes: { formerId: former?.id ?? null },
      });
      return { id, answer: await again(id) };
    };
    return await once(tx, { kind: 'phone_number', make, again });
  });
}
