import type { DeletedPhoneNumber } from '../../../contract/phone-numbers.ts';
import { deleteRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { findConnection } from '../accounts/internal.ts';
import { findNumber, type NumberName } from './internal.ts';
import { auditedNumber } from './mapper.ts';

/**
 * Deletes a number (contract 12.2). Nothing changes at the carrier, because its application serves other
 * numbers, too. Throws NotFoundError.
 */
export async function deletePhoneNumber({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: NumberName;
}): Promise<DeletedPhoneNumber> {
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    await findConnection(tx, ctx, input.configurationId);
    const row = await findNumber(tx, ctx, input, { isLocked: true });
    await deleteRows(tx, phoneNumbers, { id: row.id, organizationId });
    await appendAudit(tx, {
      action: 'phone_number.deleted',
      subjectKind: 'phone_number',
      subjectId: row.id,
      states: { before: auditedNumber(row), after: null },
    });
    return {
      message: 'Phone number deleted',
      provider_sync: { ok: true, message: 'Nothing was changed at the carrier' },
    };
  });
}
