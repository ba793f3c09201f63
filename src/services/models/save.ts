import type { ModelConfiguration, ModelConfigurationAnswer } from '../../contract/model-configurations.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { llmOfConfiguration, sameAddressee } from '../../domain/models/llm-settings.ts';
import { restoreModelSecrets } from '../../domain/models/secrets.ts';
import type { ServiceContext } from '../context.ts';
import { requireLlm } from './check-llm.ts';
import { readShown } from './get.ts';
import { lockConfiguration, storeConfiguration } from './internal.ts';
import { pipelineOf, toModelConfiguration } from './mapper.ts';

type Pipeline = ModelConfiguration['byok']['pipeline'];

/**
 * Replaces the organization's models as a whole, keys sealed (contract 13.3). Throws ValidationError with the wire's records for a
 * language model that cannot be asked, and for a masked key that stands for none.
 */
export async function saveModelConfiguration({ ctx, input }: { ctx: ServiceContext; input: ModelConfiguration }): Promise<ModelConfigurationAnswer> {
  return await inTransaction(ctx.db, async (tx) => {
    const before = await lockConfiguration(tx, ctx);
    await storeConfiguration(tx, ctx, configurationOf(withStoredKeys(before, input.byok.pipeline)));
    return toModelConfiguration(await readShown(tx, ctx));
  });
}

/** As it is stored; a part that is null is left out. */
export function configurationOf(pipeline: JsonObject): JsonObject {
  return { version: 2, mode: 'byok', byok: { mode: 'pipeline', pipeline: Object.fromEntries(Object.entries(pipeline).filter(([, part]) => part !== null && part !== undefined)) } };
}

function withStoredKeys(before: JsonObject | null, pipeline: Pipeline): JsonObject {
  const stored = llmOfConfiguration(before);
  const { llm, ...others } = pipeline;
  const restored = stored !== null && sameAddressee(stored, llm) ? ownObject({ llm: restoreModelSecrets(stored, llm) }, 'llm') : llm;
  return { llm: requireLlm({ llm: restored, stored, loc: ['body', 'byok', 'pipeline', 'llm'] }), ...ownObject({ others: restoreModelSecrets(pipelineOf(before), others) }, 'others') };
}
