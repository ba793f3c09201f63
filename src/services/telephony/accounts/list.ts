import type { TelephonyConfigurationList } from '../../../contract/telephony-configurations.ts';
import { findRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { openCredentials } from './configurations.ts';
import type { ConnectionDeps } from './deps.ts';
import { toConfiguration } from './mapper.ts';

/** The organization's connections, oldest first (contract 12.1). */
export async function listConnections({
  ctx,
  deps,
}: {
  ctx: ServiceContext;
  deps: Pick<ConnectionDeps, 'carriers'>;
}): Promise<TelephonyConfigurationList> {
  const { organizationId } = ctx;
  const rows = await findRows(ctx.db, telephonyConfigurations, { organizationId }, { order: { id: 'ASC' } });
  const numbers = await findRows(
    ctx.db,
    phoneNumbers,
    { organizationId },
    { select: ['configurationId', 'isActive'] },
  );
  const configurations = rows.map((row) => {
    const own = numbers.filter(({ configurationId }) => configurationId === row.id);
    return toConfiguration(
      {
        row,
        credentials: openCredentials(ctx.secrets, row),
        numbers: own.length,
        activeNumbers: own.filter(({ isActive }) => isActive).length,
      },
      deps.carriers,
    );
  });
  return { configurations };
}
