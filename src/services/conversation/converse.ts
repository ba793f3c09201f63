import type { Line } from '../../domain/call/line.ts';
import { exchangesAfter, exchangesOf, type ToolRound } from '../../domain/call/tool-round.ts';
import type { Step } from '../../domain/call/turn.ts';
import { own, ownObject } from '../../domain/graph/definition.ts';
import { edgeOf } from '../../domain/graph/edges.ts';
import { InvariantError } from '../../domain/errors.ts';
import { renderTemplate } from '../../domain/template/render.ts';
import { offeredTools, toolMessages } from './offered-tools.ts';
import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import { askModel, type StepTimings } from './ask-model.ts';
import type { CallRef, ConversationDeps } from './deps.ts';
import { loadScene, nodeIn, renderingOf, type Scene } from './scene.ts';
import { findSummary } from './summary.ts';
import type { ModelUsage } from './usage.ts';

export interface ConverseInput extends CallRef {
  versionId: number;
  step: Step;
  /** Lines of this turn so far, the user's first; not committed yet. */
  pendingLines: Line[];
  /** Tools used in this turn so far; absent = none. */
  toolRounds?: ToolRound[];
}

export interface StepAnswer {
  /** New lines of this step, in the order spoken. */
  lines: Line[];
  /** Edge the model chose; null when it stays. */
  chosenEdge: string | null;
  /** Tools that the model called, to be run in this order; absent = none. */
  toolCalls?: ToolCallRequest[];
  usage: ModelUsage | null;
  timings: StepTimings | null;
  /** When the step began, ISO 8601. */
  begunAt: string;
  /** Of the node; absent = false. */
  allowInterrupt?: true;
}

/**
 * Says one reply at one node: greeting or transition speech first, then the model (contract 2.3, 2.4, 7.4). Prompts come from the
 * pinned version, rendered for the moment the call began at; the transcript comes from MySQL. Writes nothing.
 *
 * Throws ProviderError when the model fails or says nothing usable, UnavailableError when MySQL is away.
 */
export async function converse({ deps, input, signal }: { deps: ConversationDeps; input: ConverseInput; signal: AbortSignal }): Promise<StepAnswer> {
  const begunAt = deps.clock.now().toISOString();
  const scene = await loadScene({ deps, input, through: { branch: input.step.branch, turnIndex: input.step.turnIndex - 1 } });
  const node = { begunAt, ...(nodeIn(scene, input.step.nodeId).allowInterrupt ? { allowInterrupt: true as const } : {}) };
  const greeting = greetingOf(scene, input);
  if (greeting !== null) return { ...node, lines: [lineOf(deps, input, 'greeting', greeting)], chosenEdge: null, usage: null, timings: null };

  const said = transitionSpeechOf(scene, input);
  const before = said === null ? [] : [lineOf(deps, input, 'transition_speech', said)];
  const summary = await findSummary(deps.db, input, scene);
  const exchanges = [...exchangesAfter(scene.exchanges, summary?.lineCount ?? 0), ...exchangesOf([...input.pendingLines, ...before], input.toolRounds ?? [])];
  const tools = input.step.mayUseTools ? await offeredTools({ deps, scene, nodeId: input.step.nodeId }) : [];
  const reply = await askModel({ deps, scene, step: input.step, summary: summary?.text ?? null, exchanges, tools, signal });
  const after = reply.text === '' ? [] : [lineOf(deps, input, 'reply', reply.text)];
  const announced = toolMessages(scene, tools, reply.toolCalls).map((text) => lineOf(deps, input, 'tool_message', text));
  const answer = { ...node, lines: [...before, ...after, ...announced], chosenEdge: reply.chosenEdge, usage: reply.usage, timings: reply.timings };
  return reply.toolCalls.length === 0 ? answer : { ...answer, toolCalls: reply.toolCalls };
}

/** The opening that is said as it is written, or null: then the model opens. */
function greetingOf(scene: Scene, { step }: ConverseInput): string | null {
  if (step.entry.kind !== 'opening') return null;
  const { greeting: own } = nodeIn(scene, step.nodeId);
  const written = overriddenGreeting(scene) ?? (own?.kind === 'text' ? own.text : null);
  const greeting = written === null ? '' : renderTemplate(written, renderingOf(scene)).trim();
  return greeting === '' ? null : greeting;
}

/** `greeting_override` of the run (contract 5.3); a malformed one is ignored. */
function overriddenGreeting({ call }: Scene): string | null {
  const override = ownObject(call.initialContext, 'greeting_override');
  const text = own(override, 'text');
  return own(override, 'type') === 'text' && typeof text === 'string' ? text : null;
}

function transitionSpeechOf(scene: Scene, { step }: ConverseInput): string | null {
  if (step.entry.kind !== 'edge') return null;
  const edge = edgeOf(scene.definition, step.entry.edgeId);
  if (edge === null) throw new InvariantError('The pinned version has no such edge');
  const speech = edge.transitionSpeech === null ? '' : renderTemplate(edge.transitionSpeech, renderingOf(scene)).trim();
  return speech === '' ? null : speech;
}

function lineOf({ clock }: ConversationDeps, { step }: ConverseInput, kind: Line['kind'], text: string): Line {
  return { speaker: 'assistant', text, at: clock.now().toISOString(), nodeId: step.nodeId, kind };
}
