import type { TelephonyConfigurationDetail } from '../../../contract/telephony-configurations.ts';
import { updateRows } from '../../../db/rows.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { appendAudit, type ServiceContext, once, write } from '../../kernel/index.ts';
import type { ConnectionDeps } from './deps.ts';
import { findConnection, showConnection } from './internal.ts';
import { toDetail } from './mapper.ts';

/** Reactivates a connection (contract 12.1); an active one stays active. Throws NotFoundError. */
export async function reactivateConnection({
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
      const { id, inactiveSince } = await findConnection(tx, ctx, input.id, { isLocked: true });
      await updateRows(tx, telephonyConfigurations, {
        where: { id, organizationId },
        change: { inactiveSince: null, inactiveReason: null, updatedAt: ctx.clock.now() },
      });
      await appendAudit(tx, {
        action: 'telephony_configuration.reactivated',
        subjectKind: 'telephony_configuration',
        subjectId: id,
        states: { before: { inactive: inactiveSince !== null }, after: { inactive: false } },
      });
      return { id, answer: await again(id) };
    };
    return await once(tx, { kind: 'telephony_configuration', make, again });
  });
}
