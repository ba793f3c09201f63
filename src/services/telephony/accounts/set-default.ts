import type { TelephonyConfigurationDetail } from '../../../contract/telephony-configurations.ts';
import { findRow, updateRows } from '../../../db/rows.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { appendAudit, lockOrganization, type ServiceContext, once, write } from '../../kernel/index.ts';
import type { ConnectionDeps } from './deps.ts';
import { clearDefault, findConnection, showConnection } from './internal.ts';
import { toDetail } from './mapper.ts';

/** From now on, calls that name no connection use this one (contract 12.1). Throws NotFoundError. */
export async function setDefaultConnection({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: Pick<ConnectionDeps, 'carriers'>;
  input: { id: number };
}): Promise<TelephonyConfigurationDetail> {
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    const again = async (id: number) =>
      toDetail(await showConnection(tx, ctx, await findConnection(tx, ctx, id)), deps.carriers);
    const make = async () => {
      await lockOrganization(tx, ctx);
      const { id } = await findConnection(tx, ctx, input.id, { isLocked: true });
      const former = await findRow(tx, telephonyConfigurations, { organizationId, isDefaultOutbound: true });
      await clearDefault(tx, ctx);
      await updateRows(tx, telephonyConfigurations, {
        where: { id, organizationId },
        change: { isDefaultOutbound: true, updatedAt: ctx.clock.now() },
      });
      await appendAudit(tx, {
        action: 'telephony_configuration.made_default',
        subjectKind: 'telephony_configuration',
        subjectId: id,
        changes: { formerId: former?.id ?? null },
      });
      return { id, answer: await again(id) };
    };
    return await once(tx, { kind: 'telephony_configuration', make, again });
  });
}
