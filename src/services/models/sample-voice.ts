import type { VoiceSampleRequest } from '../../contract/model-configurations.ts';
import { type AttemptLimiter, createAttemptLimiter } from '../../db/attempt-limiter.ts';
import type { DataSource } from 'typeorm';
import { joinSamples } from '../../domain/audio/samples.ts';
import { wavFile } from '../../domain/audio/wav.ts';
import { NotFoundError, PreconditionError, ProviderError, UnavailableError } from '../../domain/errors.ts';
import { voiceOfConfiguration } from '../../domain/models/choose-voice.ts';
import { type InstalledVoice, resolvedTts, type ResolvedTts } from '../../domain/models/resolved-voice.ts';
import { isTtsVendor } from '../../domain/models/voice-catalog.ts';
import type { TtsPort } from '../../providers/tts/port.ts';
import { addToday } from '../identity/index.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { requireVoice } from './check-voice.ts';
import { requireInstallationQuota, type ModelQuotas } from './day-limit.ts';
import { readConfiguration } from './internal.ts';

/** The voices of a process that can speak. */
export interface SampleVoices {
  /** The installation's voice; null if it has no key for one. */
  installed: InstalledVoice['tts'] | null;
  portOf: (resolved: ResolvedTts) => TtsPort;
}

/** Vendors bill samples, and nobody listens to more than one in three seconds. */
export const createSampleLimit = (db: DataSource): AttemptLimiter =>
  createAttemptLimiter(db, {
    what: 'voice_sample',
    named: 'voice samples of one organization',
    max: 20,
    windowSeconds: 60,
  });

const sampleRate = 24_000;
const defaultText = 'Hello! This is how I sound on a call.';
/** More than a sample of the maximum length takes. */
const maxMs = 15_000;

/**
 * A sample of a voice as a WAV file (contract 13.2), with the organization's key for the vendor, else with the
 * installation's, whose seconds count for its quota. Throws NotFoundError for an unknown vendor, ValidationError for an unknown voice,
 * PreconditionError (400) without a key and for what the vendor refuses, LimitError, and UnavailableError if
 * the vendor fails.
 */
export async function sampleVoice({
  ctx,
  deps: { voices, limit, quotas },
  provider,
  input: { text = defaultText, ...wanted },
  signal,
}: {
  ctx: ServiceContext;
  deps: { voices: SampleVoices; limit: AttemptLimiter; quotas?: ModelQuotas | undefined };
  provider: string;
  input: VoiceSampleRequest;
  signal: AbortSignal;
}): Promise<Uint8Array> {
  if (!isTtsVendor(provider)) throw new NotFoundError(`There is no vendor of voices named ${provider}`);
  const { installed } = voices;
  const { db, secrets, organizationId } = ctx;
  const own = voiceOfConfiguration('tts', await readConfiguration({ db, secrets, organizationId }));
  const isOwn = own !== null && (own['provider'] ?? installed?.provider) === provider;
  const settings = requireVoice({
    service: 'tts',
    settings: { ...(isOwn ? own : {}), provider, ...given(wanted) },
    stored: null,
    loc: ['body'],
  });
  const hasKey = settings['api_key'] !== undefined || settings['credentials'] !== undefined;
  const resolved =
    installed === null && !hasKey
      ? null
      : resolvedTts({ level: 'organization', settings }, installed ?? withoutKey(provider));
  if (resolved === null || resolved.fault !== null)
    throw new PreconditionError(
      `There is no key for the voices of ${provider}; set one with PUT /organizations/model-configurations/v2`,
      { status: 400 },
    );
  const today = { db, organizationId, now: ctx.clock.now() };
  if (!hasKey) await requireInstallationQuota(today, 'voiceMinutes', quotas);
  await limit.count(String(organizationId));
  const { model, voice, language, speakingRate } = resolved;
  const stream = voices.portOf(resolved).open({
    voice: { model, voice, language, speakingRate },
    sampleRate,
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
  });
  stream.say(text);
  stream.end();
  const parts: Int16Array[] = [];
  try {
    for await (const { samples } of stream.audio) parts.push(samples);
  } catch (error) {
    throw refused(error);
  } finally {
    const spoken = parts.reduce((sum, { length }) => sum + length, 0);
    if (!hasKey) await addToday(today, { talkedSeconds: spoken / sampleRate });
  }
  return wavFile(sampleRate, [joinSamples(parts)]);
}

const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** What the customer's key is resolved with if the installation has no voice. */
const withoutKey = (provider: InstalledVoice['tts']['provider']): InstalledVoice['tts'] => ({
  shownAs: provider,
  provider,
  model: '',
  voice: null,
  language: null,
  speakingRate: 1,
});

/** The port's messages are fixed texts without keys and without the spoken words. */
function refused(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.reason === 'refused_key' || error.reason === 'client_error')
    return new PreconditionError(`The voice was refused: ${error.message}`, { status: 400, cause: error });
  return new UnavailableError(`The voice is not available: ${error.message}`, {
    dependency: 'voices',
    cause: error,
  });
}
