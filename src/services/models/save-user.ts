import { validationRecord } from '../../contract/lax/records.ts';
import type { UserConfiguration, UserConfigurationRequest } from '../../contract/model-configurations.ts';
import { ValidationError } from '../../domain/errors.ts';
import { own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { maskSecret } from '../../domain/delivery/masking.ts';
import { isSameVendor } from '../../domain/models/choose-voice.ts';
import { overLlm } from '../../domain/models/llm-settings.ts';
import { restoreModelSecrets } from '../../domain/models/secrets.ts';
import type { VoiceService } from '../../domain/models/voice-settings.ts';
import { refusingMoved, type ServiceContext, write } from '../kernel/index.ts';
import { changePreferencesWithin } from '../identity/index.ts';
import { requireLlm } from './check-llm.ts';
import { requireVoice } from './check-voice.ts';
import { readShown } from './get.ts';
import { lockConfiguration, storeConfiguration } from './internal.ts';
import { pipelineOf, toUserConfiguration } from './mapper.ts';
import { configurationOf } from './save.ts';

const besides = ['tts', 'stt', 'embeddings'] as const;

/**
 * Changes the organization's models in the older form (contract 13.2): merges the given parts into the
 * present ones, field by field for the same vendor. Test number and time zone are preferences. Throws
 * ValidationError as the newer form does.
 */
export async function saveUserConfiguration({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: UserConfigurationRequest;
}): Promise<UserConfiguration> {
  if (input.is_realtime === true) throw noRealtime();
  const { test_phone_number: testPhoneNumber, timezone } = input;
  const changesModels = input.llm != null || besides.some((name) => input[name] != null);
  return await write(ctx, async (tx) => {
    const before = await lockConfiguration(tx, ctx);
    if (changesModels)
      await storeConfiguration(tx, ctx, configurationOf(changed(ctx, pipelineOf(before), input)));
    if (testPhoneNumber != null || timezone != null)
      await changePreferencesWithin(tx, ctx, {
        testPhoneNumber: testPhoneNumber ?? undefined,
        timezone: timezone ?? undefined,
      });
    return toUserConfiguration(await readShown(tx, ctx));
  });
}

function changed(
  { installedModels: installed }: ServiceContext,
  before: JsonObject,
  input: UserConfigurationRequest,
): JsonObject {
  const stored = own(before, 'llm') === undefined ? null : ownObject(before, 'llm');
  const llm = overLlm(stored, withoutMask(stored, input.llm ?? {}));
  const embeddings =
    input.embeddings == null
      ? own(before, 'embeddings')
      : refusingMoved(['embeddings'], () => restoreModelSecrets(own(before, 'embeddings'), input.embeddings));
  return {
    tts: changedVoice('tts', before, input.tts),
    stt: changedVoice('stt', before, input.stt),
    embeddings,
    llm: requireLlm({ llm, stored, loc: ['body', 'llm'], installed }),
  };
}

/** Merges a change into the settings of the same vendor; another vendor's settings replace them. */
function changedVoice(
  service: VoiceService,
  before: JsonObject,
  change: JsonObject | null | undefined,
): unknown {
  if (change == null) return own(before, service);
  const stored = own(before, service) === undefined ? null : ownObject(before, service);
  return requireVoice({
    service,
    settings: stored !== null && isSameVendor(stored, change) ? { ...stored, ...change } : change,
    stored,
    loc: ['body', service],
  });
}

/** Drops a masked key, so that the stored one stays in use if it may. */
function withoutMask(stored: JsonObject | null, { api_key: key, ...rest }: JsonObject): JsonObject {
  const known = stored === null ? undefined : own(stored, 'api_key');
  const isMask = typeof known === 'string' && key === maskSecret(known);
  return isMask || key === undefined ? rest : { ...rest, api_key: key };
}

function noRealtime(): ValidationError {
  const fault = {
    type: 'value_error',
    msg: 'Value error, speech-to-speech models are not supported',
    input: true,
    ctx: { error: {} },
  };
  return new ValidationError('Speech-to-speech models are not supported', {
    detail: [validationRecord(['body', 'is_realtime'], fault)],
  });
}
