import type { SpeakStepInput } from '../../domain/call/voice.ts';
import { toolMessages, type ModelReply } from '../../services/calls/index.ts';
import { reportFailure, reportSoundBegan, reportSoundEnded } from './call-report.ts';
import type { StepCall } from './call-state.ts';
import type { StepJournal } from './journal-writer.ts';
import { Mouth } from './mouth.ts';
import type { OpenVoice } from './open-voice.ts';
import { questionOf, toolsOf } from './prompts.ts';
import { asExchanges, ReplyMaker } from './reply-maker.ts';
import { Speech } from './speech.ts';
import type { StepClock } from './step-clock.ts';

/**
 * Says a step once, until its end or until it is cut off. Another take says again what was cut off without
 * reason.
 */
export interface Take {
  readonly mouth: Mouth;
  readonly speech: Speech;
  readonly maker: ReplyMaker;
  readonly isCut: boolean;
  /** Stops playback, voices and model at once. */
  cut(): void;
}

export interface TakeParts {
  call: StepCall;
  input: SpeakStepInput;
  journal: StepJournal;
  clock: StepClock;
  firstPosition: number;
  /** A voice that was opened ahead, or null. */
  ahead: OpenVoice | null;
  onReply: (reply: ModelReply) => void;
}

export function createTake({ call, input, journal, clock, firstPosition, ahead, onReply }: TakeParts): Take {
  const { state } = call;
  const { deps, leg, live, voices } = state;
  const cutting = new AbortController();
  const mouth = new Mouth({
    leg,
    clocks: deps,
    journal,
    pace: state.pace,
    nextId: () => state.nextClauseId(),
    firstPosition,
    listener: {
      onStarted(atMs) {
        clock.mark('firstFrameSent', atMs);
        reportSoundBegan(call, clock);
      },
      onDrained(atMs) {
        clock.mark('playoutEnd', atMs);
        reportSoundEnded(call);
      },
      onClauseBegan: ({ entry }) =>
        state.screen.show('rtf-bot-text', { text: entry.text.trim(), timestamp: entry.sentAt }),
    },
  });
  const speech = new Speech({
    mouth,
    voices: voices.voices,
    firstVoice: state.sounds.voice,
    ahead,
    nowMs: deps.nowMs,
    sampleRate: leg.sampleRate,
    cached: (text) => state.sounds.clip(text),
    onSent: (atMs) => clock.mark('ttsSent', atMs),
    onFirstSound: (atMs) => clock.mark('ttsFirstByte', atMs),
    onFault: (error) => reportFailure(state, 'tts', error),
  });
  const maker = new ReplyMaker({
    speech,
    language: voices.language,
    nodeId: input.step.nodeId,
    clock,
    nowMs: deps.nowMs,
    signal: cutting.signal,
    ask: ({ said, note }) =>
      questionOf({
        deps: deps.conversation,
        live,
        step: input.step,
        exchanges: [...state.transcript.before(input), ...asExchanges(said)],
        note,
      }),
    messagesFor: (calls) => toolMessages(live.scene, toolsOf(live, input.step), calls),
    findRecording: (recordingId) =>
      deps.findRecordedLine({
        organizationId: input.organizationId,
        recordingId,
        sampleRate: leg.sampleRate,
      }),
    onReply,
    onFault: (error) => reportFailure(state, 'llm', error),
  });
  return {
    mouth,
    speech,
    maker,
    get isCut() {
      return cutting.signal.aborted;
    },
    cut() {
      mouth.cut();
      cutting.abort();
      speech.abort();
      mouth.leave();
    },
  };
}
