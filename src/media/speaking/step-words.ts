import type { Line } from '../../domain/call/line.ts';
import type { AfterSpeaking, SpeakStepInput } from '../../domain/call/voice.ts';
import { firstPosition } from '../../domain/speech/journal.ts';
import { planResume, type ResumePlan } from '../../domain/speech/resume-plan.ts';
import { greetingOf, readJournal, transitionSpeechOf } from '../../services/calls/index.ts';
import type { CallState } from './call-state.ts';
import { readDecision } from './decision.ts';
import type { LiveReply } from './live-reply.ts';
import { continuationNote, noteFor } from './prompts.ts';
import { goodbyes, noDecision, placeOf, type Decision } from './step-parts.ts';
import type { Take } from './take.ts';

type Resumed = Extract<SpeakStepInput['say'], { kind: 'resume' }>;

/** The words of a step, by what the Workflow asks for, and the decision that follows from them. */
export class StepWords {
  readonly #state: CallState;
  readonly #input: SpeakStepInput;
  /** Lines that earlier hosts said. */
  carried: Line[] = [];
  /** The caller interrupted those lines. */
  wereCutOff = false;

  constructor(state: CallState, input: SpeakStepInput) {
    this.#state = state;
    this.#input = input;
  }

  /** Says the words of the step. `after` is how the step ends, if that is known already. */
  async say(
    take: Take,
    claimed: LiveReply | null,
  ): Promise<{ decision: Decision; after: AfterSpeaking | null }> {
    const { say, step } = this.#input;
    const { maker } = take;
    const said = (decision: Decision) => ({ decision, after: null });
    switch (say.kind) {
      case 'reply':
        return said(await this.#sayReply(take, claimed));
      case 'check_in':
        return said(await maker.sayModels({ note: noteFor('check_in', step.entry), fallback: 'check_in' }));
      case 'voicemail_message':
        return said(
          await maker.sayModels({ note: noteFor('voicemail_message', step.entry), fallback: 'voicemail' }),
        );
      case 'goodbye':
        maker.sayFixed(goodbyes[say.reason], 'closing', { isFiller: false });
        return said(noDecision);
      case 'line':
        maker.say(say.text, 'reply');
        return said(noDecision);
      case 'resume':
        return await this.#resume(take, say);
    }
  }

  /** Says the rest of a step that an earlier host began, and lets the model complete it. */
  async sayLeft(
    { maker, speech }: Take,
    { unheard, madeLines, decision }: Pick<ResumePlan, 'unheard' | 'madeLines' | 'decision'>,
  ): Promise<Decision> {
    for (const { text, lineKind, position, recordingId } of unheard) {
      if (recordingId !== null) await maker.sayWritten({ kind: 'audio', recordingId }, lineKind);
      else if (text.trim() !== '') speech.say({ text, lineKind, position });
    }
    if (decision !== null) return readDecision(decision);
    const said = madeLines.map(({ kind, text }) => this.#line(text, kind));
    return await maker.sayModels({
      said,
      note: said.some(({ kind }) => kind === 'reply')
        ? continuationNote
        : noteFor('resume', this.#input.step.entry),
    });
  }

  async #sayReply({ maker }: Take, claimed: LiveReply | null): Promise<Decision> {
    const { scene } = this.#state.live;
    const { step } = this.#input;
    const greeting = greetingOf(scene, step, { canPlay: true });
    if (greeting !== null && (await maker.sayWritten(greeting, 'greeting'))) return noDecision;
    const speech = transitionSpeechOf(scene, step);
    if (speech !== null) await maker.sayWritten(speech, 'transition_speech');
    const said = speech?.kind === 'text' ? [this.#line(speech.text, 'transition_speech')] : [];
    return await maker.sayModels({ claimed, note: noteFor('reply', step.entry), said });
  }

  /** Continues a step that another host began. If the journal cannot be read, asks the caller to repeat. */
  async #resume(take: Take, say: Resumed): Promise<{ decision: Decision; after: AfterSpeaking | null }> {
    const plan = await this.#readPlan();
    if (plan === null && say.line !== undefined) {
      take.maker.say(say.line, 'reply');
      return { decision: noDecision, after: null };
    }
    if (plan === null) {
      take.maker.sayFixed('repeat_please');
      return { decision: noDecision, after: null };
    }
    this.carried = plan.heard.map(({ kind, text, at }) => ({ ...this.#line(text, kind), at }));
    // guarantee: journaled-utterance-ends-step
    if (plan.utterance === null) return { decision: await this.#sayRest(take, plan, say), after: null };
    const { text, startedAt, endedAt } = plan.utterance;
    this.wereCutOff = plan.wasInterrupted;
    return { decision: noDecision, after: { kind: 'utterance', text, startedAt, endedAt } };
  }

  async #sayRest(take: Take, plan: ResumePlan, say: Resumed): Promise<Decision> {
    const { step, listens } = this.#input;
    const inOrder = say.inOrder === true;
    if (say.line !== undefined) return this.#sayRestOf(say.line, take, plan, inOrder);
    if (plan.wasInterrupted || (plan.decision !== null && plan.unheard.length === 0)) {
      const decision = plan.decision === null ? noDecision : readDecision(plan.decision);
      const hasMore = decision.chosenEdge !== null || decision.toolCalls.length > 0 || !listens;
      if (!hasMore && !inOrder) take.maker.sayFixed('repeat_please');
      return decision;
    }
    if (!inOrder && !(plan.isUntouched && step.entry.kind === 'opening')) take.maker.sayFixed('recovery');
    if (plan.decision !== null || plan.madeLines.length > 0) return await this.sayLeft(take, plan);
    if (step.entry.kind !== 'closing') return await this.#sayReply(take, null);
    take.maker.sayFixed('goodbye_fault', 'closing', { isFiller: false });
    return noDecision;
  }

  /** The unheard part of a given text, or all of it if the earlier host made nothing of it. */
  #sayRestOf(line: string, { maker, speech }: Take, plan: ResumePlan, inOrder: boolean): Decision {
    const { wasInterrupted, unheard, madeLines } = plan;
    const isDone = wasInterrupted || (madeLines.length > 0 && unheard.length === 0);
    if (line === '' || isDone) return noDecision;
    if (!inOrder) maker.sayFixed('recovery');
    // guarantee: supervisors-line-survives-host
    if (madeLines.length === 0) maker.say(line, 'reply');
    for (const { text, lineKind, position } of unheard) speech.say({ text, lineKind, position });
    return noDecision;
  }

  async #readPlan(): Promise<ResumePlan | null> {
    const { deps } = this.#state;
    try {
      return planResume(
        await readJournal({
          db: deps.conversation.db,
          place: placeOf(this.#input),
          generation: this.#input.generation,
          from: firstPosition(this.#input.pendingLines.length),
        }),
      );
    } catch (error) {
      deps.log.warn({ err: error, callId: this.#input.callId }, 'The journal of a lost call cannot be read');
      return null;
    }
  }

  #line(text: string, kind: Line['kind']): Line {
    return {
      speaker: 'assistant',
      text,
      at: this.#state.deps.clock.now().toISOString(),
      nodeId: this.#input.step.nodeId,
      kind,
    };
  }
}
