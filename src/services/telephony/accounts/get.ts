import type { TelephonyConfigurationDetail, TrunkList } from '../../../contract/telephony-configurations.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { ConnectionDeps } from './deps.ts';
import { findConnection, showConnection } from './internal.ts';
import { toDetail } from './mapper.ts';

interface Getting {
  ctx: ServiceContext;
  input: { id: number };
}

/** A connection with the steps left to set it up (contract 12.1). Throws NotFoundError. */
export async function getConnection({
  ctx,
  deps,
  input,
}: Getting & { deps: Pick<ConnectionDeps, 'carriers'> }): Promise<TelephonyConfigurationDetail> {
  const { manager } = ctx.db;
  return toDetail(
    await showConnection(manager, ctx, await findConnection(manager, ctx, input.id)),
    deps.carriers,
  );
}

/** Answers no trunk, because SIP is not supported. Throws NotFoundError for an unknown connection. */
export async function listTrunks({ ctx, input }: Getting): Promise<TrunkList> {
  await findConnection(ctx.db.manager, ctx, input.id);
  return { trunks: [] };
}
