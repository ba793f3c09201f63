import type { Credential } from '../../../contract/credentials.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findLive } from './internal.ts';
import { toCredential } from './mapper.ts';

/** One credential without its data (contract 9.3). Throws NotFoundError. */
export async function getCredential({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<Credential> {
  return toCredential(await findLive(ctx.db.manager, ctx.organizationId, input.uuid));
}
