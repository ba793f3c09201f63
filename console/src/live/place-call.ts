import { ApiError, call } from '../app/api.ts';
import { nowMs } from '../app/clock.ts';
import { get, queries } from '../app/query.ts';
import { levelOf } from './level.ts';
import { type Microphone, openMicrophone } from './microphone.ts';
import { hearStream, type WebSpeaker } from './sound.ts';
import { startWebCall, type LiveCall } from './web-call.ts';

/** A web call that was placed, with the microphone if there is one. */
export interface PlacedCall {
  call: LiveCall;
  runId: number;
  /** Values that the call began with. */
  values: Record<string, unknown>;
  /** The recognizer understands what the microphone hears. */
  hasEars: boolean;
  /** Null if there are no ears for it, or the person or the browser refused it. */
  microphone: Microphone | null;
  setMicrophone: (isOn: boolean) => void;
  /** How loud the microphone is: 0 to 1. */
  level: () => number;
  close: () => void;
}

/**
 * Calls an agent from the browser; a simulated voice is not heard. Null if no media host takes calls. A refused
 * microphone is not a reason not to call: words can be typed. Throws ApiError.
 */
export async function placeCall({
  agentId,
  name,
  values = {},
  speaker,
}: {
  agentId: number;
  name: string;
  /** They replace the agent's own test values. */
  values?: Readonly<Record<string, string>>;
  speaker: WebSpeaker;
}): Promise<PlacedCall | null> {
  // Asked here, because a person may answer before the page knows it.
  const { simulated } = await queries
    .ensureQueryData(get('/health', {}))
    .catch(() => ({ simulated: { stt: false, tts: false } }));
  const hasEars = !simulated.stt;
  speaker.setMuted(simulated.tts);
  // People take their time to allow the microphone, and the token of the call does not wait.
  let hear: (samples: Int16Array<ArrayBuffer>) => void = () => undefined;
  let isListening = true;
  let level = 0;
  const take = (samples: Int16Array<ArrayBuffer>) => {
    level = isListening ? levelOf(samples) : 0;
    if (isListening) hear(samples);
  };
  // A page that is not served safely has no devices at all.
  const media = navigator.mediaDevices as MediaDevices | undefined;
  const microphone =
    hasEars && media !== undefined
      ? await openMicrophone(media, (stream) => hearStream(stream, take)).catch(() => null)
      : null;
  const run = await call('post', '/workflow/{workflow_id}/runs', {
    params: { workflow_id: agentId },
    body: { mode: 'web', name, initial_context: values },
  }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 503) return null;
    microphone?.close();
    throw error;
  });
  const offer = run?.body.web_call;
  if (run === null || offer == null) {
    microphone?.close();
    return null;
  }
  const live = startWebCall({
    open: () => {
      const socket = new WebSocket(offer.url, ['parlance', offer.token]);
      socket.binaryType = 'arraybuffer';
      return socket;
    },
    speaker,
    nowMs,
    later: (act, ms) => setTimeout(act, ms),
  });
  hear = live.hear;
  return {
    call: live,
    runId: run.body.id,
    values: run.body.initial_context,
    hasEars,
    microphone,
    setMicrophone: (isOn) => {
      isListening = isOn;
      if (!isOn) level = 0;
    },
    // A device that is gone says nothing more, not even that it is silent.
    level: () => (microphone?.get().current === null ? 0 : level),
    close: () => {
      microphone?.close();
      live.close();
      speaker.close();
    },
  };
}
