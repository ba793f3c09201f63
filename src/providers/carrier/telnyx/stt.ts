import { z } from 'zod';
import { sttError, shownCode } from '../../stt/failures.ts';
import type { SttEvent, SttOptions, SttPort } from '../../stt/port.ts';
import {
  defaultSttTiming,
  openSocketSession,
  type AudioPosition,
  type SttProtocol,
  type SttTiming,
} from '../../stt/socket-session.ts';
import { agentFor, bytesOf, isSimulated, warmAddress } from '../../stt/transport.ts';

export interface TelnyxSttOptions {
  /** A key that begins with `simulated` is for an emulator; emulators accept no other. */
  apiKey: string;
  /** Absent for Telnyx itself. */
  url?: string | undefined;
  /** The model of sessions that name none, by its name at the Deepgram engine. */
  model?: string;
  timing?: Partial<SttTiming>;
  onDropped?: (frames: number) => void;
}

export const telnyxSttUrl = 'wss://api.telnyx.com/v2/speech-to-text/transcription';
export const defaultTelnyxModel = 'nova-3';

/**
 * Silence after which the engine ends a segment, milliseconds. Our own turn taking waits longer than this.
 */
const endpointingMs = 300;
/** Less audio than this cannot hold the same words again. */
const repeatedFinalMs = 300;

/**
 * SttPort over Telnyx's standalone streaming socket with its Deepgram engine. Uses plain `ws`, because the
 * SDK's helper loses its parameters and needs a `type` that answers lack. Names of engines are
 * case-sensitive.
 */
export function createTelnyxStt({
  apiKey,
  url = telnyxSttUrl,
  model = defaultTelnyxModel,
  timing = {},
  onDropped = () => undefined,
}: TelnyxSttOptions): SttPort {
  const agent = agentFor(url);
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    simulated: isSimulated(apiKey),
    provider: isSimulated(apiKey) ? 'simulated' : 'telnyx',
    capabilities: { interims: true, endpointing: true, keyTerms: true, finalize: true, p99FinalMs: 400 },
    open: (options) =>
      openSocketSession({
        url: addressOf(url, { ...options, model: options.model ?? model }),
        headers,
        agent,
        protocolOf: telnyxProtocol,
        options,
        timing: { ...defaultSttTiming, ...timing },
        onDropped,
      }),
    warm: () => warmAddress(url),
    close: () => Promise.resolve(agent?.destroy()),
  };
}

/** The URL contains the whole configuration of a session, which cannot be changed later. */
function addressOf(
  url: string,
  { model, language, sampleRate, keyTerms }: SttOptions & { model: string },
): string {
  const query = new URLSearchParams({
    transcription_engine: 'Deepgram',
    model,
    language,
    input_format: 'linear16',
    sample_rate: String(sampleRate),
    interim_results: 'true',
    endpointing: String(endpointingMs),
  });
  // Older models support only `keywords`.
  if (takesKeyTerms(model)) for (const term of keyTerms) query.append('keyterm', term);
  else if (keyTerms.length > 0) query.set('keywords', keyTerms.join(','));
  return `${url}?${query.toString()}`;
}

const takesKeyTerms = (model: string): boolean => /nova-3|flux/.test(model);

const Frame = z.looseObject({
  transcript: z.string().nullish(),
  is_final: z.boolean().nullish(),
  speech_final: z.boolean().nullish(),
  utterance_end: z.boolean().nullish(),
  confidence: z.number().nullish(),
  errors: z.array(z.looseObject({ code: z.unknown().optional() })).nullish(),
  error: z.unknown().optional(),
});
type Frame = z.infer<typeof Frame>;

/** Frames name neither segment nor time: a segment is everything between two finals. */
function telnyxProtocol(position: AudioPosition): SttProtocol {
  let segment = 1;
  let hasInterim = false;
  let last: { text: string; sentMs: number } | null = null;

  function finalOf({ text, frame }: { text: string; frame: Frame }): SttEvent[] {
    // Repeated speech takes time; a final that was sent twice does not.
    const isRepeated =
      last !== null && !hasInterim && last.text === text && position.sentMs() - last.sentMs < repeatedFinalMs;
    if (isRepeated) return [];
    last = { text, sentMs: position.sentMs() };
    hasInterim = false;
    const segmentId = String(segment);
    segment += 1;
    return [
      {
        kind: 'final',
        segmentId,
        text,
        confidence: frame.confidence ?? null,
        startMs: null,
        endMs: null,
        speechFinal: frame.speech_final ?? true,
      },
    ];
  }

  return {
    hello: [],
    audio: bytesOf,
    finalize: JSON.stringify({ type: 'Finalize' }),
    goodbye: JSON.stringify({ type: 'CloseStream' }),
    keepAlive: JSON.stringify({ type: 'KeepAlive' }),
    read(message) {
      const parsed = Frame.safeParse(message);
      if (!parsed.success) return [];
      const frame = parsed.data;
      const fault = faultOf(frame);
      if (fault !== null) return [fault];
      const text = (frame.transcript ?? '').trim();
      const isEnd = frame.utterance_end === true || (frame.speech_final === true && text === '');
      const end: SttEvent[] = isEnd ? [{ kind: 'utterance_end' }] : [];
      if (text === '') return isEnd ? end : [{ kind: 'interim', segmentId: String(segment), text: '' }];
      if (frame.is_final === true) return [...finalOf({ text, frame }), ...end];
      hasInterim = true;
      return [{ kind: 'interim', segmentId: String(segment), text }, ...end];
    },
  };
}

/** The fault in a frame. 400xx: the engine does not accept a parameter, so another attempt would not help. */
function faultOf({ errors, error }: Frame): SttEvent | null {
  const [first] = errors ?? [];
  if (first === undefined && (error === undefined || error === null)) return null;
  const code = first?.code;
  const isOurs = /^4\d{4}$/.test(String(code));
  return {
    kind: 'fault',
    error: sttError(`The speech recognition reported an error${shownCode(code)}`, !isOurs, {
      reason: isOurs ? 'client_error' : 'server_error',
    }),
  };
}
