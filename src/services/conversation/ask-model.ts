import { summaryNote } from '../../domain/call/compaction.ts';
import type { Exchange } from '../../domain/call/tool-round.ts';
import type { Step } from '../../domain/call/turn.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { ProviderError } from '../../domain/errors.ts';
import { edgeTools, globalPrompt, type EdgeTool } from '../../domain/graph/model.ts';
import { renderSystemPrompt } from '../../domain/template/render.ts';
import type { LlmMessage, LlmToolCall } from '../../providers/llm/port.ts';
import { resolveLlm, type ResolvedLlm } from '../models/index.ts';
import type { CallRef, ConversationDeps } from './deps.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import { nodeIn, renderingOf, type Scene } from './scene.ts';
import { addUsage, type ModelUsage } from './usage.ts';
import { askOnce, noteWaste, type ModelQuestion } from './wasted.ts';

export interface StepTimings {
  firstTokenMs: number | null;
  /** The moment of it, ISO 8601; absent without one, and in turns that began under older code. */
  firstTokenAt?: string;
  wholeMs: number;
  /** Name of the model that was asked; absent in turns that began under older code. */
  model?: string;
}

export interface ModelReply {
  text: string;
  chosenEdge: string | null;
  toolCalls: ToolCallRequest[];
  usage: ModelUsage | null;
  timings: StepTimings;
}

interface Question {
  deps: ConversationDeps;
  scene: Scene;
  step: Step;
  /** Stands for what was said before `exchanges`. */
  summary: string | null;
  exchanges: Exchange[];
  /** Offered beside the ways out. */
  tools: readonly OfferedTool[];
  signal: AbortSignal;
}

/**
 * Asks the model once, and a second time when the answer cannot be used: a function that was not offered, or nothing at all
 * (voice.md 4, "one repair retry"). Edges are offered as functions, always all of a node's and in the same order.
 */
export async function askModel(question: Question): Promise<ModelReply> {
  const begun = performance.now();
  const { deps, scene } = question;
  const by = await resolveLlm({ db: deps.db, deps, organizationId: scene.call.organizationId, agentSettings: scene.settings });
  const edges = offeredEdges(question);
  const request = requestOf(question, edges);
  const ask = (asked: ModelQuestion) => readAnswer({ ...question, by }, asked, edges);
  const first = await ask(request);
  if (first.kind === 'reply') return first.reply;
  const messages: LlmMessage[] = [...request.messages, { role: 'system', content: repairs[first.fault] }];
  const wholeMs = Math.max(1000, budgetMs - (performance.now() - begun));
  const second = await ask({ ...request, messages, timeouts: { wholeMs } }).catch(async (error: unknown) => {
    await noteWaste(deps, refOf(scene), [first.usage]);
    throw error;
  });
  if (second.kind === 'reply') return { ...second.reply, usage: addUsage(first.usage, second.reply.usage) };
  await noteWaste(deps, refOf(scene), [first.usage, second.usage]);
  throw new ProviderError(faults[second.fault], { provider: 'llm', retryable: true });
}

/** Both answers together end before the activity's own limit, which could not say what was wrong. */
const budgetMs = timeoutsMs.turnStartToClose - 3000;

const faults = {
  nothing: 'the language model answered nothing, twice',
  unknown_function: 'the language model called a function that was not offered, twice',
} as const;

const repairs = {
  nothing: 'Your last answer was empty. Answer the caller now in one or two sentences.',
  unknown_function: 'You called a function that does not exist. Use only the functions that are offered, or answer in words.',
} as const;

type Answer = { kind: 'reply'; reply: ModelReply } | { kind: 'unusable'; fault: keyof typeof faults; usage: ModelUsage | null };

async function readAnswer({ deps, by, scene, signal, tools }: Question & { by: ResolvedLlm }, request: ModelQuestion, edges: readonly EdgeTool[]): Promise<Answer> {
  const begun = performance.now();
  const first: Pick<StepTimings, 'firstTokenMs' | 'firstTokenAt'> = { firstTokenMs: null };
  const onFirst = () => {
    first.firstTokenMs = Math.round(performance.now() - begun);
    first.firstTokenAt = deps.clock.now().toISOString();
  };
  const { text, toolCalls, usage } = await askOnce({ deps, by, ref: refOf(scene), request, signal, onFirst });
  const edge = edges.find((each) => toolCalls.some((call) => call.name === each.name));
  const called = calledTools(toolCalls, tools);
  if (toolCalls.length > 0 && edge === undefined && called.length === 0) return { kind: 'unusable', fault: 'unknown_function', usage };
  if (toolCalls.length === 0 && text.trim() === '') return { kind: 'unusable', fault: 'nothing', usage };
  const timings = { ...first, wholeMs: Math.round(performance.now() - begun), model: by.model };
  return { kind: 'reply', reply: { text: text.trim(), chosenEdge: edge?.edgeId ?? null, toolCalls: called, usage, timings } };
}

const refOf = ({ call: { id: callId, organizationId } }: Scene): CallRef => ({ callId, organizationId });

function calledTools(toolCalls: readonly LlmToolCall[], tools: readonly OfferedTool[]): ToolCallRequest[] {
  return toolCalls.flatMap(({ id, name, argumentsText, arguments: values }) => {
    const tool = tools.find((each) => each.name === name);
    return tool === undefined ? [] : [{ id, name, argumentsText, values, toolUuid: tool.toolUuid }];
  });
}

function requestOf({ scene, step, summary, exchanges, tools }: Question, edges: readonly EdgeTool[]): ModelQuestion {
  return {
    messages: [{ role: 'system', content: systemPrompt(scene, step.nodeId) }, ...(summary === null ? [] : [{ role: 'system' as const, content: summaryNote(summary) }]), ...openingNote(step), ...exchanges.flatMap(toMessages)],
    tools: [...edges.map(({ name, description }) => ({ name, description, parameters: { type: 'object', properties: {} } })), ...tools.map(({ name, description, parameters }) => ({ name, description, parameters }))],
  };
}

function offeredEdges({ scene, step }: Question): EdgeTool[] {
  return step.mayMove ? edgeTools(scene.definition, step.nodeId) : [];
}

/** Global prompt, blank line, node prompt (contract 7.4). The order keeps equal prefixes between turns, which providers cache. */
function systemPrompt(scene: Scene, nodeId: string): string {
  const { prompt, addGlobalPrompt } = nodeIn(scene, nodeId);
  return renderSystemPrompt({ globalPrompt: addGlobalPrompt ? globalPrompt(scene.definition) : null, nodePrompt: prompt, ...renderingOf(scene) });
}

function toMessages(exchange: Exchange): LlmMessage[] {
  if (exchange.kind === 'line') return [{ role: exchange.line.speaker, content: exchange.line.text }];
  const { calls } = exchange;
  return [
    { role: 'assistant', content: '', toolCalls: calls.map(({ id, name, argumentsText }) => ({ id, name, argumentsText })) },
    ...calls.map(({ id, result }): LlmMessage => ({ role: 'tool', toolCallId: id, content: result })),
  ];
}

/** Before anybody has spoken, the model is told that it is its turn: some servers refuse a conversation of prompts alone. */
function openingNote({ entry, turnIndex }: Step): LlmMessage[] {
  return entry.kind === 'opening' || (entry.kind === 'tools' && turnIndex === 0) ? [{ role: 'system', content: 'The conversation begins now. Say your first words to the caller.' }] : [];
}
