import type { Line } from '../../domain/call/line.ts';
import type { Step } from '../../domain/call/turn.ts';
import type { SpeakStepInput } from '../../domain/call/voice.ts';
import { edgeOf } from '../../domain/graph/edges.ts';
import { edgeTools } from '../../domain/graph/model.ts';
import { nodeIn, type Scene } from '../../services/calls/index.ts';
import type { ClaimedReply, ReplyAhead } from './reply-ahead.ts';

/** A step that the Workflow will probably ask for, with the lines before it. */
export type PredictedStep = Pick<SpeakStepInput, 'step' | 'pendingLines'>;

/** The next turn at the same node, after the caller's words. */
export function predictTurn(scene: Scene, { step }: SpeakStepInput, said: Line): PredictedStep {
  const { branch, turnIndex, visitIndex, nodeId } = step;
  const mayAct = nodeIn(scene, nodeId).kind !== 'endCall';
  const next: Step = {
    branch,
    turnIndex: turnIndex + 1,
    visitIndex,
    nodeId,
    entry: { kind: 'utterance' },
    mayMove: mayAct && edgeTools(scene.definition, nodeId).length > 0,
    mayUseTools: mayAct,
  };
  return { step: next, pendingLines: [said] };
}

/** The same turn at an edge's target; null when the version has no such edge. */
export function predictMove(
  scene: Scene,
  { step, pendingLines }: SpeakStepInput,
  { edgeId, lines }: { edgeId: string; lines: Line[] },
): PredictedStep | null {
  const edge = edgeOf(scene.definition, edgeId);
  if (edge === null) return null;
  const nodeId = edge.target;
  const mayAct = nodeIn(scene, nodeId).kind !== 'endCall';
  const next: Step = {
    ...step,
    visitIndex: step.visitIndex + 1,
    nodeId,
    entry: { kind: 'edge', edgeId },
    mayMove: mayAct && edgeTools(scene.definition, nodeId).length > 0,
    mayUseTools: mayAct,
  };
  return { step: next, pendingLines: [...pendingLines, ...lines] };
}

/**
 * Hides the round trip to the Workflow: keeps one reply that was asked ahead. The step that asks for exactly
 * that claims it; any other step discards it. Until then no one hears it, and none of its tools run.
 */
export class Speculation {
  readonly #discard: (ahead: ReplyAhead) => void;
  readonly #claimed: (claimed: ClaimedReply) => void;
  #open: { predicted: PredictedStep; ahead: ReplyAhead } | null = null;

  constructor({
    discard,
    claimed,
  }: {
    discard: (ahead: ReplyAhead) => void;
    claimed: (claimed: ClaimedReply) => void;
  }) {
    this.#discard = discard;
    this.#claimed = claimed;
  }

  start(predicted: PredictedStep, ahead: ReplyAhead): void {
    this.drop();
    this.#open = { predicted, ahead };
  }

  /**
   * The caller's final words lead to the same question, so the open reply answers them. Null when there is
   * none.
   */
  settle(lines: Line[]): ReplyAhead | null {
    if (this.#open === null || this.#open.predicted.step.entry.kind !== 'utterance') return null;
    this.#open.predicted = { ...this.#open.predicted, pendingLines: lines };
    return this.#open.ahead;
  }

  drop(): void {
    if (this.#open !== null) this.#discard(this.#open.ahead);
    this.#open = null;
  }

  /** The reply to exactly this step, or null. Any other open reply is discarded. */
  claim({ step, pendingLines, toolRounds = [], say }: SpeakStepInput): ClaimedReply | null {
    const open = this.#open;
    if (open === null) return null;
    // guarantee: speculative-answer-needs-same-step
    const isThis =
      say.kind === 'reply' &&
      toolRounds.length === 0 &&
      keyOf(open.predicted) === keyOf({ step, pendingLines });
    if (!isThis) {
      this.drop();
      return null;
    }
    this.#open = null;
    const claimed = open.ahead.claim();
    this.#claimed(claimed);
    return claimed;
  }
}

function keyOf({
  step: { branch, turnIndex, visitIndex, nodeId, entry, mayMove, mayUseTools },
  pendingLines,
}: PredictedStep): string {
  return JSON.stringify([
    branch,
    turnIndex,
    visitIndex,
    nodeId,
    entry.kind === 'edge' ? entry.edgeId : entry.kind,
    mayMove,
    mayUseTools,
    pendingLines.map(({ speaker, text }) => [speaker, text]),
  ]);
}
