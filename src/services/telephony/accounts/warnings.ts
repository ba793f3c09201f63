import {
  TelephonyConfigurationWarnings,
  unsignedConnections,
} from '../../../contract/telephony-providers.ts';
import { findRows } from '../../../db/rows.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { credentialText } from '../../../domain/telephony/credentials.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { openCredentials } from './configurations.ts';

/** Counts connections that lack the key that verifies their carrier's events (contract 12.1). */
export async function countWarnings({
  ctx,
}: {
  ctx: ServiceContext;
}): Promise<TelephonyConfigurationWarnings> {
  const rows = await findRows(ctx.db, telephonyConfigurations, { organizationId: ctx.organizationId });
  const lacking = (provider: string, field: string) =>
    rows.filter(
      (row) => row.provider === provider && credentialText(openCredentials(ctx.secrets, row), field) === null,
    ).length;
  return TelephonyConfigurationWarnings.parse(
    Object.fromEntries(
      Object.entries(unsignedConnections).map(([name, { provider, field }]) => [
        name,
        lacking(provider, field),
      ]),
    ),
  );
}
