import { findRow, updateRows } from '../../db/rows.ts';
import { modelConfigurations } from '../../db/tables/model-configurations.ts';
import type { KeyStatus } from '../../contract/model-configurations.ts';
import { ValidationError } from '../../domain/errors.ts';
import { usesInstallationKey } from '../../domain/models/installed.ts';
import { llmFault, llmOfConfiguration, readLlm } from '../../domain/models/llm-settings.ts';
import type { KeyCheck } from '../../providers/llm/key-check.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { readConfiguration } from './internal.ts';

interface Validating {
  ctx: ServiceContext;
  checkKey: KeyCheck;
  input: { ttlSeconds: number };
}

/**
 * Asks the vendor whether it accepts the organization's key, unless it did so within `ttlSeconds` (contract
 * 13.2). Asks nothing if the organization uses the installation's models. Throws ValidationError (422) that
 * names the service whose key the vendor refuses.
 */
export async function validateKeys({ ctx, checkKey, input }: Validating): Promise<KeyStatus> {
  const { organizationId } = ctx;
  const row = await findRow(ctx.db, modelConfigurations, { organizationId });
  const llm = row === null ? null : llmOfConfiguration(await readConfiguration({ ...ctx, db: ctx.db }));
  const now = ctx.clock.now();
  if (
    row === null ||
    llm === null ||
    usesInstallationKey(llm) ||
    (row.validatedAt !== null && now.getTime() - row.validatedAt.getTime() <= input.ttlSeconds * 1000)
  )
    return { status: [] };

  const settings = readLlm(llm);
  const fault = llmFault(settings);
  const answer = fault === null ? await checkKey(settings) : { isGood: false, message: fault.message };
  if (!answer.isGood)
    throw new ValidationError(answer.message, { detail: [{ model: 'llm', message: answer.message }] });
  // Only if the configuration has not changed since the check.
  await updateRows(ctx.db.manager, modelConfigurations, {
    where: { organizationId, configurationEncrypted: row.configurationEncrypted },
    change: { validatedAt: now },
  });
  return { status: [{ model: 'llm', message: answer.message }] };
}
