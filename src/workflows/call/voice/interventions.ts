import { setHandler } from '@temporalio/workflow';
import type { Intervention, Note } from '../../../domain/call/intervention.ts';
import { planNode } from '../../../domain/graph/plan.ts';
import { closed, unknownNode } from '../failures.ts';
import type { LiveCall } from '../live-call.ts';
import { interveneUpdate } from '../messages.ts';
import type { Seats } from './seats.ts';

/** What supervisors ask of a spoken call (contract 6.12), in the order in which it arrived. */
export class Interventions {
  readonly #call: LiveCall;
  readonly #seats: Seats;
  readonly #waiting: Exclude<Intervention, { kind: 'whisper' }>[] = [];
  readonly #notes: Note[] = [];
  /** The visit of the step that runs, or ran last. */
  visitIndex = 0;
  /** The agent is silent. */
  isPaused = false;
  /** The agent was broken off, or was spoken to while it was silent. */
  isReplyOwed = false;

  constructor(call: LiveCall, seats: Seats) {
    this.#call = call;
    this.#seats = seats;
    setHandler(interveneUpdate, (intervention) => this.#take(intervention), {
      validator: (intervention) => this.#validate(intervention),
    });
  }

  /** Notes for the model; those of earlier visits do not count any more. */
  get notes(): Note[] {
    return [...this.#notes];
  }

  /** Whether something breaks off a step; one that does not listen is broken off by a hang-up alone. */
  breakOff({ listens }: { listens: boolean }): boolean {
    return this.#waiting.some((each) => listens || (each.kind === 'hang_up' && !each.politely));
  }

  /** Somebody wants the call to end. */
  get isHangUpWanted(): boolean {
    return this.#waiting.some(({ kind }) => kind === 'hang_up');
  }

  /** The next one to carry out; null when none waits. */
  next(): Exclude<Intervention, { kind: 'whisper' }> | null {
    return this.#waiting[0] ?? null;
  }

  /** The next one is carried out. */
  taken(): void {
    this.#waiting.shift();
  }

  /** Adds a note of our own. The host gets it with the next step. */
  note(text: string): void {
    this.#notes.push({ visitIndex: this.visitIndex, text });
  }

  #validate(intervention: Intervention): void {
    const { isOver, state, input } = this.#call;
    // A transferred caller can still be hung up.
    const isOpen = intervention.kind === 'hang_up' ? state !== 'ending' && !this.#call.isFinished : !isOver;
    if (!isOpen) throw closed(state);
    if (intervention.kind === 'goto' && planNode(input.plan, intervention.nodeId) === null)
      throw unknownNode(intervention.nodeId);
  }

  async #take(intervention: Intervention): Promise<void> {
    if (intervention.kind !== 'whisper') {
      this.#waiting.push(intervention);
      return;
    }
    this.note(intervention.text);
    await this.#seats.takeNotes(this.notes);
  }
}
