import type { ModelConfiguration, ModelConfigurationAnswer } from '../../contract/model-configurations.ts';
import { own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { voiceOfConfiguration } from '../../domain/models/choose-voice.ts';
import { llmOfConfiguration, sameAddressee } from '../../domain/models/llm-settings.ts';
import { restoreModelSecrets } from '../../domain/models/secrets.ts';
import type { VoiceService } from '../../domain/models/voice-settings.ts';
import { refusingMoved, type ServiceContext, write } from '../kernel/index.ts';
import { requireLlm } from './check-llm.ts';
import { requireVoice } from './check-voice.ts';
import { readShown } from './get.ts';
import { lockConfiguration, storeConfiguration } from './internal.ts';
import { pipelineOf, toModelConfiguration } from './mapper.ts';

type Pipeline = ModelConfiguration['byok']['pipeline'];

/**
 * Replaces all models of the organization, with sealed keys (contract 13.3). Throws ValidationError with the
 * wire's records for unusable settings of a language model, a voice or speech recognition, and for a masked
 * key without a stored one.
 */
export async function saveModelConfiguration({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ModelConfiguration;
}): Promise<ModelConfigurationAnswer> {
  return await write(ctx, async (tx) => {
    const before = await lockConfiguration(tx, ctx);
    await storeConfiguration(tx, ctx, configurationOf(withStoredKeys(ctx, before, input.byok.pipeline)));
    return toModelConfiguration(await readShown(tx, ctx));
  });
}

/** The configuration to store, without null parts. */
export function configurationOf(pipeline: JsonObject): JsonObject {
  return {
    version: 2,
    mode: 'byok',
    byok: {
      mode: 'pipeline',
      pipeline: Object.fromEntries(
        Object.entries(pipeline).filter(([, part]) => part !== null && part !== undefined),
      ),
    },
  };
}

function withStoredKeys(
  { installedModels: installed }: ServiceContext,
  before: JsonObject | null,
  pipeline: Pipeline,
): JsonObject {
  const stored = llmOfConfiguration(before);
  const { llm, tts, stt, embeddings } = pipeline;
  // guarantee: model-key-bound-to-address
  const restored =
    stored !== null && sameAddressee(stored, llm)
      ? ownObject({ llm: restoreModelSecrets(stored, llm) }, 'llm')
      : llm;
  const loc = ['body', 'byok', 'pipeline'];
  const voice = (service: VoiceService, settings: JsonObject | null | undefined) =>
    settings == null
      ? null
      : requireVoice({
          service,
          settings,
          stored: voiceOfConfiguration(service, before),
          loc: [...loc, service],
        });
  return {
    llm: requireLlm({ llm: restored, stored, loc: [...loc, 'llm'], installed }),
    tts: voice('tts', tts),
    stt: voice('stt', stt),
    embeddings: refusingMoved([...loc.slice(1), 'embeddings'], () =>
      restoreModelSecrets(own(pipelineOf(before), 'embeddings'), embeddings),
    ),
  };
}
