import { judgmentTags, stockInstruction } from '../graph/stock-instruction.ts';
import type { Passage } from './passages.ts';

export interface JudgeQuestion {
  passage: Passage;
  nodeName: string;
  /** The agent's instructions at that node, rendered. */
  task: string;
  /** The customer's instructions, a template; null = ours. */
  systemPrompt: string | null;
  /** Renders templates as of the call's beginning; `values` are available besides initial_context. */
  render: (template: string, values: Record<string, unknown>) => string;
}

export interface JudgeMessages {
  messages: { role: 'system' | 'user'; content: string }[];
  /** Absent with the customer's instructions, which define the JSON themselves. */
  responseFormat?: { name: string; schema: Record<string, unknown> };
}

/** Strict JSON Schema of what `stockInstruction` asks for. */
const stockFormat = {
  name: 'judgment',
  schema: {
    type: 'object',
    properties: {
      call_quality_score: { type: 'integer' },
      overall_sentiment: { type: 'string', enum: ['positive', 'neutral', 'negative'] },
      summary: { type: 'string' },
      tags: { type: 'array', items: { type: 'string', enum: Object.keys(judgmentTags) } },
    },
    required: ['call_quality_score', 'overall_sentiment', 'summary', 'tags'],
    additionalProperties: false,
  },
};

/** Maximum number of characters of the earlier conversation; its end is kept. */
const maxBefore = 20_000;

/**
 * The messages that ask the model about one node of a call. The customer's instructions may use
 * `{{node_name}}`, `{{node_summary}}`, `{{previous_conversation_summary}}`, `{{transcript}}` and
 * `{{metrics}}`, as published agents do, and initial_context.
 */
export function judgeMessages({
  passage,
  nodeName,
  task,
  systemPrompt,
  render,
}: JudgeQuestion): JudgeMessages {
  const before = passage.before.join('\n').slice(-maxBefore);
  const transcript = passage.lines.join('\n');
  const values = {
    node_name: nodeName,
    node_summary: task,
    previous_conversation_summary: before,
    transcript,
    metrics: passage.metrics,
  };
  const material = [
    `Step: ${nodeName}`,
    `What the assistant was told to do in this step:\n${task === '' ? '(nothing)' : task}`,
    ...(before === '' ? [] : [`Said before this step:\n${before}`]),
    `Said in this step:\n${transcript}`,
  ].join('\n\n');
  return {
    messages: [
      { role: 'system', content: systemPrompt === null ? stockInstruction : render(systemPrompt, values) },
      { role: 'user', content: material },
    ],
    ...(systemPrompt === null ? { responseFormat: stockFormat } : {}),
  };
}
