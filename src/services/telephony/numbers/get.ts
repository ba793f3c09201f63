import type { PhoneNumber } from '../../../contract/phone-numbers.ts';
import { findConnection } from '../accounts/internal.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findNumber, type NumberName } from './internal.ts';
import { toPhoneNumber } from './mapper.ts';

/** One number (contract 12.2). Throws NotFoundError. */
export async function getPhoneNumber({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: NumberName;
}): Promise<PhoneNumber> {
  await findConnection(ctx.db.manager, ctx, input.configurationId);
  return toPhoneNumber(await findNumber(ctx.db.manager, ctx, input));
}
