import { status } from '@grpc/grpc-js';
import { encodeALaw, encodeMuLaw } from '../../src/domain/audio/g711.ts';
import { bytesOf } from '../../src/domain/audio/pcm.ts';
import { encodeSpeech } from '../modem/encode-speech.ts';

/**
 * StreamingSynthesizeRequest as proto-loader decodes it: fields that were not sent are null or zero,
 * alternatives are absent.
 */
export interface StreamRequest {
  streamingConfig?: {
    voice: { languageCode: string; name: string; modelName: string } | null;
    streamingAudioConfig: { audioEncoding: string; sampleRateHertz: number; speakingRate: number } | null;
  };
  input?: { text?: string; markup?: string };
}

export interface VoiceConfig {
  language: string;
  voice: string;
  model: string | null;
  encoding: 'PCM' | 'ALAW' | 'MULAW';
  sampleRate: 8000 | 16000 | 24000;
  speakingRate: number;
}

export class GrpcRefusal extends Error {
  override readonly name = 'GrpcRefusal';
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

const invalid = (message: string): GrpcRefusal => new GrpcRefusal(status.INVALID_ARGUMENT, message);

/**
 * The configuration that streaming synthesis accepts: Chirp 3 HD or Gemini voices, raw audio, speaking rates
 * of 0.25 to 2.
 */
export function readConfig({ streamingConfig }: StreamRequest): VoiceConfig {
  const voice = streamingConfig?.voice;
  if (streamingConfig === undefined || voice === null || voice === undefined)
    throw invalid('The first message must be a streaming_config with a voice.');
  if (
    !/^[a-z]{2,3}-[A-Z][A-Za-z]{1,3}-Chirp3-HD-\w+$/.test(voice.name) &&
    !voice.modelName.startsWith('gemini-')
  )
    throw invalid('Currently, only Chirp 3: HD voices are supported for streaming synthesis.');
  if (voice.modelName === '' && !voice.name.startsWith(`${voice.languageCode}-`))
    throw invalid(`Requested language code '${voice.languageCode}' doesn't match the voice.`);
  const { audioEncoding, sampleRateHertz, speakingRate } = streamingConfig.streamingAudioConfig ?? {
    audioEncoding: 'PCM',
    sampleRateHertz: 24_000,
    speakingRate: 0,
  };
  if (audioEncoding !== 'PCM' && audioEncoding !== 'ALAW' && audioEncoding !== 'MULAW')
    throw invalid(`Streaming of ${audioEncoding} is not supported.`);
  const sampleRate = sampleRateHertz === 0 ? 24_000 : sampleRateHertz;
  if (sampleRate !== 8000 && sampleRate !== 16_000 && sampleRate !== 24_000)
    throw invalid('The simulated voice has 8000, 16000 or 24000 samples a second.');
  if (speakingRate !== 0 && (speakingRate < 0.25 || speakingRate > 2))
    throw invalid('Speaking rate must be between 0.25 and 2.0.');
  return {
    language: voice.languageCode,
    voice: voice.name,
    model: voice.modelName === '' ? null : voice.modelName,
    encoding: audioEncoding,
    sampleRate,
    speakingRate: speakingRate || 1,
  };
}

/** Refuses missing and overlong texts. */
export function readText({ streamingConfig, input }: StreamRequest): string {
  if (streamingConfig !== undefined || input === undefined)
    throw invalid('Only the first message may hold a streaming_config; others must hold an input.');
  const text = input.text ?? input.markup ?? '';
  if (text === '') throw invalid('Input must not be empty.');
  if (Buffer.byteLength(text) > 5_000)
    throw invalid('Either `input.text` or `input.ssml` is longer than the limit of 5000 bytes.');
  return text;
}

/** The text as audio in the requested encoding; its speed is always the modem's. */
export function soundOf(text: string, { encoding, sampleRate }: VoiceConfig): Uint8Array {
  const samples = encodeSpeech(text, sampleRate);
  if (encoding === 'PCM') return bytesOf(samples, 'little');
  return encoding === 'ALAW' ? encodeALaw(samples) : encodeMuLaw(samples);
}
