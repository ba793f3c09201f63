import type { Line } from '../../../domain/call/line.ts';
import { exchangesAfter, exchangesOf, type ToolRound } from '../../../domain/call/tool-round.ts';
import type { Step } from '../../../domain/call/turn.ts';
import { resolveLlm } from '../../models/index.ts';
import { offeredTools, toolMessages } from './offered-tools.ts';
import type { ToolCallRequest } from '../../../domain/call/tool-call.ts';
import { askModel, type StepTimings } from './ask-model.ts';
import { committedLines, commitTurn, type CommitTurnInput } from './commit-turn.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';
import { loadScene, nodeIn, type Scene } from './scene.ts';
import { findSummary } from './summary.ts';
import type { ModelUsage } from './usage.ts';
import { greetingOf, transitionSpeechOf, type WrittenLine } from './written-lines.ts';

export interface ConverseInput extends CallRef {
  versionId: number;
  step: Step;
  /** Uncommitted lines of this turn so far, the user's first. */
  pendingLines: Line[];
  /** Tools used in this turn so far; absent = none. */
  toolRounds?: ToolRound[];
  /** What is committed if this step ends the turn. */
  ifLast: Pick<CommitTurnInput, 'checkpoint' | 'failures' | 'from' | 'steps' | 'isOver' | 'isPlain'> & {
    nodeName: string;
  };
}

export interface StepAnswer {
  /** New lines of this step, in the order spoken. */
  lines: Line[];
  /** The edge that the model chose; null when it stays at the node. */
  chosenEdge: string | null;
  /** Tools that the model called, to run in this order; absent = none. */
  toolCalls?: ToolCallRequest[];
  usage: ModelUsage | null;
  timings: StepTimings | null;
  /** When the step began, ISO 8601. */
  begunAt: string;
  /** The node's setting; absent = false. */
  allowInterrupt?: true;
  /**
   * How long it took to write the turn that the step ended, in milliseconds; null if an earlier attempt wrote
   * it. Absent = the turn goes on.
   */
  commitMs?: number | null;
}

interface Conversing {
  deps: ConversationDeps;
  input: ConverseInput;
  signal: AbortSignal;
}

/**
 * Produces one reply at one node: greeting or transition speech first, then the model's answer (contract 2.3,
 * 2.4, 7.4). Prompts come from the pinned version, rendered as of the beginning of the call; the transcript
 * comes from MySQL. A reply that ends its turn is written with the turn. `isRepeated`: an earlier attempt may
 * have written it, and then the model is not asked again.
 *
 * Throws ProviderError when the model fails or gives no usable answer, UnavailableError when MySQL is
 * unavailable, PreconditionError when the turn was given up meanwhile.
 */
export async function converse({
  isRepeated,
  ...conversing
}: Conversing & { isRepeated: boolean }): Promise<StepAnswer> {
  const { deps, input } = conversing;
  const { ifLast, pendingLines, step } = input;
  const begunAt = deps.clock.now().toISOString();
  // guarantee: committed-reply-not-asked-again
  const known = isRepeated ? await committedLines(deps.db, input, ifLast.checkpoint) : null;
  if (known !== null) return committedAnswer(input, known, deps.clock.now());
  const through = { branch: step.branch, turnIndex: step.turnIndex - 1 };
  const scene = deps.scenes?.find(input, through) ?? (await loadScene({ deps, input, through }));
  const answer = await reply(conversing, { scene, begunAt });
  if (answer.chosenEdge !== null || answer.toolCalls !== undefined) return answer;
  const { nodeName, steps, ...turn } = ifLast;
  const { lines, usage, timings, allowInterrupt } = answer;
  const { nodeId, visitIndex } = step;
  const begun = performance.now();
  const committed = await commitTurn({
    deps,
    input: {
      callId: input.callId,
      organizationId: input.organizationId,
      ...turn,
      lines: [...pendingLines, ...lines],
      steps: [
        ...steps,
        { nodeId, nodeName, visitIndex, begunAt, allowInterrupt, lineCount: lines.length, usage, timings },
      ],
      toolRounds: input.toolRounds,
    },
  });
  if (committed.kind === 'known') return committedAnswer(input, committed.lines, deps.clock.now());
  if (ifLast.isOver) deps.scenes?.drop(input.callId);
  else if (committed.kind === 'written') deps.scenes?.keep(scene, committed.turn);
  return { ...answer, commitMs: Math.round(performance.now() - begun) };
}

/** The answer of an attempt whose turn was written before; `said` are the turn's lines. */
function committedAnswer({ pendingLines }: ConverseInput, said: Line[], at: Date): StepAnswer {
  return {
    lines: said.slice(pendingLines.length),
    chosenEdge: null,
    usage: null,
    timings: null,
    begunAt: at.toISOString(),
    commitMs: null,
  };
}

async function reply(
  { deps, input, signal }: Conversing,
  { scene, begunAt }: { scene: Scene; begunAt: string },
): Promise<StepAnswer> {
  const node = {
    begunAt,
    ...(nodeIn(scene, input.step.nodeId).allowInterrupt ? { allowInterrupt: true as const } : {}),
  };
  const greeting = textOf(greetingOf(scene, input.step, { canPlay: false }));
  if (greeting !== null)
    return {
      ...node,
      lines: [lineOf(deps, input, 'greeting', greeting)],
      chosenEdge: null,
      usage: null,
      timings: null,
    };

  return { ...node, ...(await answerOf({ deps, input, signal }, scene)) };
}

/** The transition speech, then the model's answer. */
async function answerOf(
  { deps, input, signal }: Conversing,
  scene: Scene,
): Promise<Omit<StepAnswer, 'begunAt' | 'allowInterrupt'>> {
  const said = textOf(transitionSpeechOf(scene, input.step));
  const before = said === null ? [] : [lineOf(deps, input, 'transition_speech', said)];
  const summary = await findSummary(deps.db, input, scene);
  const exchanges = [
    ...exchangesAfter(scene.exchanges, summary?.lineCount ?? 0),
    ...exchangesOf([...input.pendingLines, ...before], input.toolRounds ?? []),
  ];
  // guarantee: model-keys-kept-out-of-temporal
  const by = await resolveLlm({
    db: deps.db,
    deps,
    organizationId: scene.call.organizationId,
    agentSettings: scene.settings,
  });
  const tools = input.step.mayUseTools ? await offeredTools({ deps, scene, nodeId: input.step.nodeId }) : [];
  const answered = await askModel({
    deps,
    by,
    scene,
    step: input.step,
    summary: summary?.text ?? null,
    exchanges,
    tools,
    signal,
  });
  const after = answered.text === '' ? [] : [lineOf(deps, input, 'reply', answered.text)];
  const announced = toolMessages(scene, tools, answered.toolCalls).flatMap((line) =>
    line.kind === 'text' ? [lineOf(deps, input, 'tool_message', line.text)] : [],
  );
  const answer = {
    lines: [...before, ...after, ...announced],
    chosenEdge: answered.chosenEdge,
    usage: answered.usage,
    timings: answered.timings,
  };
  return answered.toolCalls.length === 0 ? answer : { ...answer, toolCalls: answered.toolCalls };
}

/** Text calls cannot play a recorded line: the model speaks instead. */
function textOf(line: WrittenLine | null): string | null {
  return line?.kind === 'text' ? line.text : null;
}

function lineOf(
  { clock }: ConversationDeps,
  { step }: ConverseInput,
  kind: Line['kind'],
  text: string,
): Line {
  return { speaker: 'assistant', text, at: clock.now().toISOString(), nodeId: step.nodeId, kind };
}
