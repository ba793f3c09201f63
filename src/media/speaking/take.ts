import type { SpeakStepInput } from '../../domain/call/voice.ts';
import { toolMessages, type ModelReply } from '../../services/calls/index.ts';
import { reportFailure, reportSoundBegan, reportSoundEnded } from './call-report.ts';
import type { StepCall } from './call-state.ts';
import type { StepJournal } from './journal-writer.ts';
import { ClausePlayer } from './clause-player.ts';
import type { OpenVoice } from './open-voice.ts';
import { questionOf, toolsOf } from './prompts.ts';
import { asExchanges, ReplyMaker } from './reply-maker.ts';
import { Speech } from './speech.ts';
import type { StepClock } from './step-clock.ts';

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

/**
 * Says a step once, until its end or until it is cut off. Another take says again what was cut off without
 * reason.
 */
export class Take {
  readonly player: ClausePlayer;
  readonly speech: Speech;
  readonly maker: ReplyMaker;
  readonly #cutting = new AbortController();

  constructor(parts: TakeParts) {
    this.player = playerOf(parts);
    this.speech = speechOf(parts, this.player);
    this.maker = makerOf(parts, this.speech, this.#cutting.signal);
  }

  get isCut(): boolean {
    return this.#cutting.signal.aborted;
  }

  /** Stops playback, voices and model at once. */
  cut(): void {
    this.player.cut();
    this.#cutting.abort();
    this.speech.abort();
    this.player.close();
  }
}

function playerOf({ call, journal, clock, firstPosition }: TakeParts): ClausePlayer {
  const { state } = call;
  return new ClausePlayer({
    leg: state.leg,
    clocks: state.deps,
    journal,
    pace: state.pace,
    nextId: () => state.nextClauseId(),
    firstPosition,
    onFault: state.onFault,
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
}

function speechOf({ call: { state }, clock, ahead }: TakeParts, player: ClausePlayer): Speech {
  return new Speech({
    player,
    voices: state.voices.voices,
    firstVoice: state.sounds.voice,
    ahead,
    nowMs: state.deps.nowMs,
    sampleRate: state.leg.sampleRate,
    cached: (text) => state.sounds.clip(text),
    onSent: (atMs) => clock.mark('ttsSent', atMs),
    onFirstSound: (atMs) => clock.mark('ttsFirstByte', atMs),
    onFault: (error) => reportFailure(state, 'tts', error),
  });
}

function makerOf(
  { call: { state }, input, clock, onReply }: TakeParts,
  speech: Speech,
  signal: AbortSignal,
): ReplyMaker {
  const { deps, leg, live, voices, transcript } = state;
  return new ReplyMaker({
    speech,
    language: voices.language,
    nodeId: input.step.nodeId,
    clock,
    nowMs: deps.nowMs,
    signal,
    ask: ({ said, note }) =>
      questionOf({
        deps: deps.conversation,
        live,
        notes: state.notes,
        step: input.step,
        exchanges: [...transcript.before(input), ...asExchanges(said)],
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
}
