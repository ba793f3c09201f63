import { timeoutsMs } from '../../../domain/declaration.ts';
import { ProviderError } from '../../../domain/errors.ts';
import type { EdgeTool } from '../../../domain/graph/model.ts';
import type { LlmMessage, LlmTimeouts, LlmToolCall } from '../../../providers/llm/port.ts';
import type { ToolCallRequest } from '../../../domain/call/tool-call.ts';
import type { ResolvedLlm } from '../../models/index.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';
import type { OfferedTool } from './offered-tools.ts';
import { promptOf, type PromptParts } from './prompt.ts';
import type { Scene } from './scene.ts';
import { addUsage, type ModelUsage } from './usage.ts';
import { askOnce, noteWaste, type ModelQuestion } from './wasted.ts';

export interface StepTimings {
  firstTokenMs: number | null;
  /** Timestamp of the first token, ISO 8601; absent without one. */
  firstTokenAt?: string;
  wholeMs: number;
  /** Name of the model that was asked. */
  model: string;
}

export interface ModelReply {
  text: string;
  chosenEdge: string | null;
  toolCalls: ToolCallRequest[];
  usage: ModelUsage | null;
  timings: StepTimings;
}

export interface Question extends PromptParts {
  deps: ConversationDeps;
  /** The model to ask. */
  by: ResolvedLlm;
  signal: AbortSignal;
  /**
   * Set when a person listens: the answer is spoken while it arrives. Spoken words cannot be taken back, so an
   * answer with words is never requested again.
   */
  live?: LiveAnswer | undefined;
}

export interface LiveAnswer {
  /** Receives the pieces of the answer's text, in order. */
  onText(piece: string): void;
  timeouts?: Partial<LlmTimeouts>;
}

/**
 * Asks the model, and asks it a second time when the answer is unusable: empty, or a call of a function that
 * was not offered. All edges of a node are offered as functions, always in the same order.
 */
export async function askModel(question: Question): Promise<ModelReply> {
  const begun = performance.now();
  const { deps, scene, live } = question;
  const { request, edges } = promptOf(question);
  const ask = (asked: ModelQuestion) => readAnswer(question, asked, edges);
  const first = await ask(live?.timeouts === undefined ? request : { ...request, timeouts: live.timeouts });
  if (first.kind === 'reply') return first.reply;
  const messages: LlmMessage[] = [...request.messages, { role: 'system', content: repairs[first.fault] }];
  const wholeMs = Math.max(1000, budgetMs - (performance.now() - begun));
  const note = async (usages: readonly (ModelUsage | null)[]) => {
    const noted = noteWaste(deps, refOf(scene), usages);
    if (live === undefined) await noted;
  };
  const second = await ask({ ...request, messages, timeouts: { ...live?.timeouts, wholeMs } }).catch(
    async (error: unknown) => {
      await note([first.usage]);
      throw error;
    },
  );
  if (second.kind === 'reply') return { ...second.reply, usage: addUsage(first.usage, second.reply.usage) };
  await note([first.usage, second.usage]);
  throw new ProviderError(faults[second.fault], { provider: 'llm', retryable: true });
}

/** Both answers together end before the activity's timeout, which could not report the cause. */
const budgetMs = timeoutsMs.turnStartToClose - 3000;

const faults = {
  nothing: 'the language model gave an empty answer twice',
  unknown_function: 'the language model called functions that were not offered, twice',
} as const;

const repairs = {
  nothing: 'Your last answer was empty. Answer the caller now in one or two sentences.',
  unknown_function:
    'You called a function that does not exist. Use only the functions that are offered, or answer in words.',
} as const;

type Answer =
  | { kind: 'reply'; reply: ModelReply }
  | { kind: 'unusable'; fault: keyof typeof faults; usage: ModelUsage | null };

async function readAnswer(
  { deps, by, scene, signal, tools, live }: Question,
  request: ModelQuestion,
  edges: readonly EdgeTool[],
): Promise<Answer> {
  const begun = performance.now();
  const first: Pick<StepTimings, 'firstTokenMs' | 'firstTokenAt'> = { firstTokenMs: null };
  const onFirst = () => {
    first.firstTokenMs = Math.round(performance.now() - begun);
    first.firstTokenAt = deps.clock.now().toISOString();
  };
  const { text, toolCalls, usage } = await askOnce({
    deps,
    by,
    ref: refOf(scene),
    request,
    signal,
    listener: { onFirst, onText: live?.onText.bind(live) },
    isLive: live !== undefined,
  });
  const edge = edges.find((each) => toolCalls.some((call) => call.name === each.name));
  const called = calledTools(toolCalls, tools);
  const isSpoken = live !== undefined && text.trim() !== '';
  if (toolCalls.length > 0 && edge === undefined && called.length === 0 && !isSpoken)
    return { kind: 'unusable', fault: 'unknown_function', usage };
  if (toolCalls.length === 0 && text.trim() === '') return { kind: 'unusable', fault: 'nothing', usage };
  const timings = { ...first, wholeMs: Math.round(performance.now() - begun), model: by.model };
  return {
    kind: 'reply',
    reply: { text: text.trim(), chosenEdge: edge?.edgeId ?? null, toolCalls: called, usage, timings },
  };
}

const refOf = ({ call: { id: callId, organizationId } }: Scene): CallRef => ({ callId, organizationId });

function calledTools(toolCalls: readonly LlmToolCall[], tools: readonly OfferedTool[]): ToolCallRequest[] {
  return toolCalls.flatMap(({ id, name, argumentsText, arguments: values }) => {
    const tool = tools.find((each) => each.name === name);
    return tool === undefined ? [] : [{ id, name, argumentsText, values, toolUuid: tool.toolUuid }];
  });
}
