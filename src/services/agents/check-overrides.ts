import type { EntityManager } from 'typeorm';
import { check } from '../../contract/lax/records.ts';
import { ModelConfiguration } from '../../contract/model-configurations.ts';
import { ValidationError } from '../../domain/errors.ts';
import { isObject, own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { isSameVendor, overVoice, voiceOfConfiguration } from '../../domain/models/choose-voice.ts';
import {
  llmOfConfiguration,
  llmOfOverrides,
  overLlm,
  sameAddressee,
} from '../../domain/models/llm-settings.ts';
import { usesInstallationKey, type InstalledModels } from '../../domain/models/installed.ts';
import { restoreModelSecrets } from '../../domain/models/secrets.ts';
import type { VoiceService } from '../../domain/models/voice-settings.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { requireLlm, requireVoice, readConfiguration } from '../models/index.ts';

interface Overriding {
  /** The stored settings. */
  previous: JsonObject;
  /** The settings that the customer sent. */
  next: JsonObject;
}

const whole = 'model_configuration_v2_override';
const fields = 'model_overrides';
const voiceServices = ['tts', 'stt'] as const satisfies readonly VoiceService[];

/**
 * Refuses model overrides that no call could use (contract 1.3, 3.1): an unsupported vendor, a missing key,
 * or a masked key that is not the stored one of the same vendor and address. Throws ValidationError whose
 * detail is a text.
 */
export async function requireUsableOverrides(
  tx: EntityManager,
  ctx: ServiceContext,
  { previous, next }: Overriding,
): Promise<void> {
  const [configuration, overrides] = [own(next, whole), own(next, fields)];
  if (configuration !== undefined) requireConfiguration(ctx, own(previous, whole), configuration);
  if (overrides === undefined) return;
  if (!isObject(overrides)) throw new ValidationError(`${fields}: Input should be a valid dictionary`);
  const organization = await readConfiguration({ ...ctx, db: tx });
  requireVoices({ organization, previous: own(previous, fields), overrides });
  const llm = llmOfOverrides(overrides);
  if (llm === null || Object.values(llm).every((value) => value === null || value === '')) return;
  const below = llmOfConfiguration(organization);
  const stored = llmOfOverrides(own(previous, fields));
  requireUsableLlm({
    llm: overLlm(below, withStoredKey(stored, llm)),
    stored,
    loc: [fields, 'llm'],
    installed: ctx.installedModels,
  });
}

function requireConfiguration(
  { installedModels: installed }: ServiceContext,
  previous: unknown,
  configuration: unknown,
): void {
  const checked = check(ModelConfiguration, 'body', configuration);
  const [fault] = checked.ok ? [] : checked.records;
  if (fault !== undefined)
    throw new ValidationError(`${[whole, ...fault.loc.slice(1)].join('.')}: ${fault.msg}`);
  const [llm, stored] = [llmOfConfiguration(configuration) ?? {}, llmOfConfiguration(previous)];
  const loc = [whole, 'byok', 'pipeline'];
  requireUsableLlm({ llm: withStoredKey(stored, llm), stored, loc: [...loc, 'llm'], installed });
  for (const service of voiceServices) {
    const settings = voiceOfConfiguration(service, configuration);
    if (settings !== null)
      asText(() =>
        requireVoice({
          service,
          settings,
          stored: voiceOfConfiguration(service, previous),
          loc: ['body', ...loc, service],
        }),
      );
  }
}

/** Checks voice and speech recognition, merged over the organization's settings. */
function requireVoices({
  organization,
  previous,
  overrides,
}: {
  organization: JsonObject | null;
  previous: unknown;
  overrides: JsonObject;
}): void {
  for (const service of voiceServices) {
    const [given, before] = [
      own(overrides, service),
      isObject(previous) ? own(previous, service) : undefined,
    ];
    if (given === undefined || given === null) continue;
    if (!isObject(given))
      throw new ValidationError(`${fields}.${service}: Input should be a valid dictionary`);
    const stored = isObject(before) ? before : null;
    const restored =
      stored !== null && isSameVendor(stored, given)
        ? ownObject({ it: restoreModelSecrets(stored, given) }, 'it')
        : given;
    asText(() =>
      requireVoice({
        service,
        settings: overVoice(voiceOfConfiguration(service, organization), restored),
        stored,
        loc: ['body', fields, service],
        isPartial: true,
      }),
    );
  }
}

/** The mask of the installation's key stands for itself: that key is for one model, whatever is stored. */
function withStoredKey(stored: JsonObject | null, llm: JsonObject): JsonObject {
  return stored !== null && !usesInstallationKey(llm) && sameAddressee(stored, llm)
    ? ownObject({ llm: restoreModelSecrets(stored, llm) }, 'llm')
    : llm;
}

/** Applies the rules of the organization's settings; their records become a text here. */
function requireUsableLlm({
  loc,
  ...given
}: {
  llm: JsonObject;
  stored: JsonObject | null;
  loc: string[];
  installed: InstalledModels | undefined;
}): void {
  asText(() => requireLlm({ ...given, loc: ['body', ...loc] }));
}

function asText(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw error instanceof ValidationError ? new ValidationError(error.message) : error;
  }
}
