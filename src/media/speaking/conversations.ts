import type { Note } from '../../domain/call/intervention.ts';
import type { SpeakStepInput, SpokenStep } from '../../domain/call/voice.ts';
import { PreconditionError } from '../../domain/errors.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { loadLiveScene } from '../../services/calls/index.ts';
import type { CallRef } from '../../services/kernel/index.ts';
import type { VoiceLeg } from '../leg.ts';
import { NoLegError, type SeatedCall } from '../sessions.ts';
import { Absence } from './absence.ts';
import { Conversation } from './conversation.ts';
import type { SpeakingDeps } from './ports.ts';
import { primeClips } from './prime-clips.ts';
import { createUnaskedCall } from './unasked-call.ts';

/** The live calls of this host. */
export interface Conversations {
  /**
   * Says one step of a call and hears what follows (`speakStep`). If the stream is over, the answer is
   * `gone`. Throws PreconditionError if a newer generation has the call or its stream does not come,
   * UnavailableError if MySQL is down before the first step, and the signal's reason after an abort.
   */
  speak(input: SpeakStepInput, signal: AbortSignal): Promise<SpokenStep>;
  /**
   * Resolves when the person has heard what this host says by itself between two steps, at the latest after a
   * few seconds; at once when the host does not have that generation of the call.
   */
  finishSpeaking(call: SeatRef, signal: AbortSignal): Promise<void>;
  /**
   * Ends the step of that generation of the call, whose answer is then `gone`; resolves when its sound has
   * stopped. Without such a step, at once.
   */
  stopStep(call: SeatRef): Promise<void>;
  /**
   * Ends the step of that generation of the call in favor of a supervisor; resolves when it has ended. Without such a
   * step, at once.
   */
  yieldStep(call: SeatRef): Promise<void>;
  /** Replaces the supervisors' notes of that generation of the call. */
  takeNotes(call: SeatRef, notes: readonly Note[]): Promise<void>;
  /** Makes the sound that a newly seated call will probably need. Nothing waits for it, and it may fail. */
  prime(call: CallRef): void;
  /** The host stops: every call leaves as soon as possible. */
  move(): void;
  close(): Promise<void>;
}

type SeatRef = Pick<SpeakStepInput, 'callId' | 'generation'>;

interface Entry {
  generation: number;
  opening: Promise<Conversation>;
  /** The last step that was asked for. */
  step?: { stop: AbortController; over: Promise<unknown> };
}

/** No conversation yet: each begins with its first step. Until then, a live stream is served by `Absence`. */
export function createConversations(deps: SpeakingDeps): Conversations {
  return new HostConversations(deps);
}

class HostConversations implements Conversations {
  readonly #deps: SpeakingDeps;
  readonly #entries = new Map<number, Entry>();
  /** Live streams that wait for their first step, by the id of the call. */
  readonly #unasked = new Map<number, Absence>();
  readonly #closing = new AbortController();
  #isMoving = false;

  constructor(deps: SpeakingDeps) {
    this.#deps = deps;
    deps.legs.onLive((call, leg) => this.#awaitFirstStep(call, leg));
  }

  async speak(input: SpeakStepInput, signal: AbortSignal): Promise<SpokenStep> {
    signal.throwIfAborted();
    const entry = this.#entryOf(input);
    const stop = new AbortController();
    const step = this.#speak(entry, input, AbortSignal.any([signal, stop.signal]));
    entry.step = { stop, over: step.catch(() => undefined) };
    try {
      return await step;
    } catch (error) {
      if (stop.signal.aborted || error instanceof NoLegError) return unspokenStep(this.#deps);
      throw error;
    }
  }

  async #speak({ opening }: Entry, input: SpeakStepInput, signal: AbortSignal): Promise<SpokenStep> {
    const conversation = await abortable(opening, signal);
    if (this.#isMoving) conversation.move();
    return await conversation.speak(input, signal);
  }

  async finishSpeaking({ callId, generation }: SeatRef, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(callId);
    if (entry?.generation !== generation) return;
    const conversation = await abortable(entry.opening, signal);
    await conversation.finishSpeaking(signal);
  }

  async stopStep({ callId, generation }: SeatRef): Promise<void> {
    const entry = this.#entries.get(callId);
    if (entry?.generation !== generation) return;
    entry.step?.stop.abort();
    await entry.step?.over;
  }

  async yieldStep(call: SeatRef): Promise<void> {
    await (await this.#openOf(call))?.yieldStep();
  }

  async takeNotes(call: SeatRef, notes: readonly Note[]): Promise<void> {
    (await this.#openOf(call))?.takeNotes(notes);
  }

  prime(call: CallRef): void {
    const { log } = this.#deps;
    primeClips({ deps: this.#deps, call, signal: this.#closing.signal }).catch((error: unknown) =>
      log.debug({ err: error, callId: call.callId }, 'The sound of a call cannot be made ahead'),
    );
  }

  move(): void {
    this.#isMoving = true;
    for (const { opening } of this.#entries.values())
      opening.then(
        (conversation) => conversation.move(),
        () => undefined,
      );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const open = [...this.#entries];
    for (const [callId, entry] of open) this.#drop(callId, entry);
    for (const callId of this.#unasked.keys()) this.#endUnasked(callId);
    await Promise.allSettled(open.map(([, { opening }]) => opening));
  }

  /** Undefined if the host does not have that generation of the call. */
  async #openOf({ callId, generation }: SeatRef): Promise<Conversation | undefined> {
    const entry = this.#entries.get(callId);
    return entry?.generation === generation ? await entry.opening : undefined;
  }

  #entryOf(input: SpeakStepInput): Entry {
    const known = this.#entries.get(input.callId);
    if (known !== undefined && known.generation > input.generation)
      throw new PreconditionError('A newer generation has the call');
    if (known?.generation === input.generation) return known;
    if (known !== undefined) this.#drop(input.callId, known);
    const entry: Entry = {
      generation: input.generation,
      opening: openConversation(this.#deps, input, () => this.#drop(input.callId, entry)),
    };
    this.#endUnasked(input.callId);
    // The caller of `speak` gets the error.
    entry.opening.catch(() => this.#drop(input.callId, entry));
    this.#entries.set(input.callId, entry);
    return entry;
  }

  #awaitFirstStep(call: SeatedCall, leg: VoiceLeg): void {
    const { callId, generation } = call;
    if (this.#entries.get(callId)?.generation === generation || this.#closing.signal.aborted) return;
    const absence = new Absence(createUnaskedCall(this.#deps, call, leg));
    this.#unasked.set(callId, absence);
    // guarantee: caller-without-first-step-hears-line
    absence.begin('words');
    leg.onGone(() => this.#endUnasked(callId, absence));
  }

  #endUnasked(callId: number, absence = this.#unasked.get(callId)): void {
    absence?.end();
    if (this.#unasked.get(callId) === absence) this.#unasked.delete(callId);
  }

  #drop(callId: number, entry: Entry): void {
    if (this.#entries.get(callId) === entry) this.#entries.delete(callId);
    entry.opening.then((conversation) => conversation.close()).catch(() => undefined);
  }
}

async function openConversation(
  deps: SpeakingDeps,
  first: SpeakStepInput,
  onGone: () => void,
): Promise<Conversation> {
  const { step } = first;
  const [leg, { live, voices }] = await Promise.all([
    whenLive(deps, first),
    loadLiveScene({
      deps: deps.conversation,
      input: first,
      through: { branch: step.branch, turnIndex: step.turnIndex - 1 },
    }).then(async (live) => ({
      live,
      voices: await deps.voicesFor({ organizationId: first.organizationId, settings: live.scene.settings }),
    })),
  ]);
  const conversation = new Conversation({ deps, leg, live, voices, first });
  conversation.whenOver
    .then(onGone)
    .catch((error: unknown) =>
      deps.log.error({ err: error, callId: first.callId }, 'A conversation that is over could not be closed'),
    );
  return conversation;
}

/**
 * Waits for the stream of a call. If none comes within the time that a carrier needs to attach it, the call
 * must move to another host.
 */
async function whenLive({ legs }: SpeakingDeps, { callId, generation }: SpeakStepInput): Promise<VoiceLeg> {
  const late = AbortSignal.timeout(timeoutsMs.mediaAttach);
  try {
    return await legs.whenLive(callId, generation, late);
  } catch (error) {
    throw late.aborted ? new PreconditionError('The stream of the call did not come') : error;
  }
}

/** The outcome of a step whose stream is over: nothing was said. */
function unspokenStep({ clock }: SpeakingDeps): SpokenStep {
  return {
    lines: [],
    chosenEdge: null,
    usage: { llm: null, tts: {}, stt: {} },
    timings: null,
    begunAt: clock.now().toISOString(),
    wasInterrupted: false,
    next: { kind: 'gone' },
  };
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
