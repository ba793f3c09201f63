import type { SpeakStepInput } from '../../domain/call/voice.ts';
import type { Line } from '../../domain/call/line.ts';
import { exchangesOf, type Exchange, type ToolRound } from '../../domain/call/tool-round.ts';

interface Turn {
  lines: Line[];
  rounds: readonly ToolRound[];
}

/**
 * The conversation as this host knows it: turns that were committed before it had the call, and its own steps
 * since. A commit may be late; the next reply does not wait for it.
 */
export class Transcript {
  readonly #committed: readonly Exchange[];
  readonly #firstTurn: number;
  readonly #turns = new Map<number, Turn>();

  /** `committed`: everything before the turn `firstTurn`. */
  constructor(committed: readonly Exchange[], firstTurn: number) {
    this.#committed = committed;
    this.#firstTurn = firstTurn;
  }

  /** Everything up to and including the step's turn, without the step's own words. */
  before({
    step,
    pendingLines,
    toolRounds = [],
  }: Pick<SpeakStepInput, 'step' | 'pendingLines' | 'toolRounds'>): Exchange[] {
    return [...this.#earlier(step.turnIndex), ...exchangesOf(pendingLines, toolRounds)];
  }

  /** Adds the lines of a step. */
  note({ step, pendingLines, toolRounds = [] }: SpeakStepInput, lines: readonly Line[]): void {
    this.#turns.set(step.turnIndex, { lines: [...pendingLines, ...lines], rounds: toolRounds });
  }

  #earlier(turnIndex: number): Exchange[] {
    const own = [...this.#turns]
      .filter(([index]) => index < turnIndex && index >= this.#firstTurn)
      .toSorted(([left], [right]) => left - right);
    return [...this.#committed, ...own.flatMap(([, { lines, rounds }]) => exchangesOf(lines, rounds))];
  }
}
