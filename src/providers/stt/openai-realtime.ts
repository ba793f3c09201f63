import { z } from 'zod';
import { shownCode, sttError } from './failures.ts';
import type { SttEvent, SttOptions, SttPort } from './port.ts';
import {
  defaultSttTiming,
  openSocketSession,
  type AudioPosition,
  type SttProtocol,
  type SttTiming,
} from './socket-session.ts';
import { openAiAudio } from './openai-audio.ts';
import { agentFor, isSimulated, warmAddress } from './transport.ts';

export interface OpenAiSttOptions {
  /** A key that begins with `simulated` selects an emulator, which accepts no other key. */
  apiKey: string;
  /** OpenAI's own URL by default. */
  url?: string | undefined;
  /** For sessions without a model. */
  model?: string;
  timing?: Partial<SttTiming>;
  onDropped?: (frames: number) => void;
}

export const openAiRealtimeUrl = 'wss://api.openai.com/v1/realtime';
export const defaultOpenAiSttModel = 'gpt-live-transcribe';

/** The vendor's defaults with less silence, because our turn taking waits, too. */
const turnDetection = {
  type: 'server_vad',
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 300,
} as const;

/**
 * SttPort over OpenAI's realtime transcription: a session of type `transcription`, in which the server
 * detects the end of speech.
 */
export function createOpenAiStt({
  apiKey,
  url = openAiRealtimeUrl,
  model = defaultOpenAiSttModel,
  timing = {},
  onDropped = () => undefined,
}: OpenAiSttOptions): SttPort {
  const agent = agentFor(url);
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    simulated: isSimulated(apiKey),
    provider: isSimulated(apiKey) ? 'simulated' : 'openai',
    capabilities: {
      interims: sendsInterims(model),
      endpointing: true,
      keyTerms: takesKeywords(model),
      finalize: true,
      p99FinalMs: 1_700,
    },
    open: (options) =>
      openSocketSession({
        url: `${url}?intent=transcription`,
        headers,
        agent,
        protocolOf: (position) => openAiProtocol({ ...options, model: options.model ?? model }, position),
        options,
        timing: { ...defaultSttTiming, ...timing },
        onDropped,
      }),
    warm: () => warmAddress(url),
    close: () => Promise.resolve(agent?.destroy()),
  };
}

/** Older models send words only when the speech has ended. */
const sendsInterims = (model: string): boolean => model.startsWith('gpt-live');
const takesKeywords = (model: string): boolean => /^gpt-(live-)?transcribe/.test(model);

function sessionUpdate({ model, language, keyTerms, sampleRate }: SttOptions & { model: string }): string {
  const transcription = {
    model,
    // OpenAI takes two-letter language codes.
    language: language.split('-')[0]?.toLowerCase(),
    ...(takesKeywords(model) && keyTerms.length > 0 ? { keywords: keyTerms } : {}),
  };
  const input = { format: openAiAudio(sampleRate).format, transcription, turn_detection: turnDetection };
  return JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
}

const Message = z.looseObject({
  type: z.string(),
  item_id: z.string().nullish(),
  delta: z.string().nullish(),
  transcript: z.string().nullish(),
  audio_start_ms: z.number().nullish(),
  audio_end_ms: z.number().nullish(),
  error: z.looseObject({ type: z.unknown().optional(), code: z.unknown().optional() }).nullish(),
});
type Message = z.infer<typeof Message>;

interface Item {
  text: string;
  startMs: number | null;
  endMs: number | null;
}

const transcribed = 'conversation.item.input_audio_transcription';

/** An item is a segment and has one `completed`. */
function openAiProtocol(options: SttOptions & { model: string }, position: AudioPosition): SttProtocol {
  const items = new Map<string, Item>();
  const done = new Set<string>();
  const { encode } = openAiAudio(options.sampleRate);

  function itemOf(id: string): Item {
    const item = items.get(id) ?? { text: '', startMs: null, endMs: null };
    items.set(id, item);
    return item;
  }

  function finalOf(id: string, text: string): SttEvent[] {
    const { startMs, endMs } = itemOf(id);
    items.delete(id);
    if (done.has(id)) return [];
    done.add(id);
    return text === ''
      ? [{ kind: 'utterance_end' }]
      : [{ kind: 'final', segmentId: id, text, confidence: null, startMs, endMs, speechFinal: true }];
  }

  function eventsOf(message: Message): SttEvent[] {
    const id = message.item_id ?? '';
    switch (message.type) {
      case 'input_audio_buffer.speech_started':
        itemOf(id).startMs = mediaMs(message.audio_start_ms, position);
        return [signOfLife(id)];
      case 'input_audio_buffer.speech_stopped':
        itemOf(id).endMs = mediaMs(message.audio_end_ms, position);
        return [signOfLife(id)];
      case `${transcribed}.delta`:
        if (done.has(id)) return [];
        itemOf(id).text += message.delta ?? '';
        return [{ kind: 'interim', segmentId: id, text: itemOf(id).text.trim() }];
      case `${transcribed}.completed`:
        return finalOf(id, (message.transcript ?? itemOf(id).text).trim());
      case `${transcribed}.failed`:
        // The words so far are better than none.
        return finalOf(id, itemOf(id).text.trim());
      case 'error':
        return faultOf(message);
      default:
        return [];
    }
  }

  return {
    hello: [sessionUpdate(options)],
    audio: (frame) => `{"type":"input_audio_buffer.append","audio":"${encode(frame).toString('base64')}"}`,
    finalize: JSON.stringify({ type: 'input_audio_buffer.commit' }),
    goodbye: null,
    keepAlive: null,
    read(message) {
      const parsed = Message.safeParse(message);
      return parsed.success ? eventsOf(parsed.data) : [];
    },
  };
}

function signOfLife(segmentId: string): SttEvent {
  return { kind: 'interim', segmentId, text: '' };
}

function mediaMs(audioMs: number | null | undefined, position: AudioPosition): number | null {
  return audioMs === null || audioMs === undefined ? null : position.mediaMsAt(audioMs);
}

/** A request for a final during silence is not an error. */
function faultOf({ error }: Message): SttEvent[] {
  const code = error?.code ?? error?.type;
  if (error?.code === 'input_audio_buffer_commit_empty') return [];
  const isOurs = error?.type === 'invalid_request_error';
  const isKey = error?.code === 'invalid_api_key';
  return [
    {
      kind: 'fault',
      error: sttError(`The speech recognition reported an error${shownCode(code)}`, !isOurs && !isKey, {
        reason: isKey ? 'refused_key' : isOurs ? 'client_error' : 'server_error',
      }),
    },
  ];
}
