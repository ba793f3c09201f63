import { summaryNote } from '../../../domain/call/compaction.ts';
import type { Exchange } from '../../../domain/call/tool-round.ts';
import type { Step } from '../../../domain/call/turn.ts';
import { wholeUtterances } from '../../../domain/call/whole-utterances.ts';
import { edgeTools, globalPrompt, type EdgeTool } from '../../../domain/graph/model.ts';
import { renderSystemPrompt } from '../../../domain/rendering/render.ts';
import type { LlmMessage } from '../../../providers/llm/port.ts';
import type { OfferedTool } from './offered-tools.ts';
import { nodeIn, renderingOf, type Scene } from './scene.ts';
import type { ModelQuestion } from './wasted.ts';

/** The parts of a prompt, for every channel. */
export interface PromptParts {
  scene: Scene;
  step: Step;
  /** Replaces the conversation before `exchanges`. */
  summary: string | null;
  exchanges: Exchange[];
  /** Offered besides the edges. */
  tools: readonly OfferedTool[];
  /** A system message after the conversation; absent = none. */
  note?: string | undefined;
}

/** The request to the model. The order keeps equal prefixes between turns, which providers cache. */
export function promptOf({ scene, step, summary, exchanges, tools, note }: PromptParts): {
  request: ModelQuestion;
  edges: EdgeTool[];
} {
  const edges = step.mayMove ? edgeTools(scene.definition, step.nodeId) : [];
  const request: ModelQuestion = {
    messages: [
      { role: 'system', content: systemPrompt(scene, step.nodeId) },
      ...(summary === null ? [] : [systemMessage(summaryNote(summary))]),
      ...openingNote(step),
      ...wholeUtterances(exchanges).flatMap(toMessages),
      ...(note === undefined ? [] : [systemMessage(note)]),
    ],
    tools: [
      ...edges.map(({ name, description }) => ({
        name,
        description,
        parameters: { type: 'object', properties: {} },
      })),
      ...tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ],
  };
  return { request, edges };
}

const systemMessage = (content: string): LlmMessage => ({ role: 'system', content });

/** Global prompt, blank line, node prompt (contract 7.4). */
function systemPrompt(scene: Scene, nodeId: string): string {
  const { prompt, addGlobalPrompt } = nodeIn(scene, nodeId);
  return renderSystemPrompt({
    globalPrompt: addGlobalPrompt ? globalPrompt(scene.definition) : null,
    nodePrompt: prompt,
    ...renderingOf(scene),
  });
}

function toMessages(exchange: Exchange): LlmMessage[] {
  if (exchange.kind === 'line') return [{ role: exchange.line.speaker, content: exchange.line.text }];
  const { calls } = exchange;
  return [
    {
      role: 'assistant',
      content: '',
      toolCalls: calls.map(({ id, name, argumentsText }) => ({ id, name, argumentsText })),
    },
    ...calls.map(({ id, result }): LlmMessage => ({ role: 'tool', toolCallId: id, content: result })),
  ];
}

/** Tells the model to speak first: some servers refuse a conversation that has only system prompts. */
function openingNote({ entry, turnIndex }: Step): LlmMessage[] {
  return entry.kind === 'opening' || (entry.kind === 'tools' && turnIndex === 0)
    ? [systemMessage('The conversation begins now. Say your first words to the caller.')]
    : [];
}
