import type { Rule } from '../../../emulators/llm/rules.ts';
import { edge, node } from '../definitions.ts';

/**
 * The agent of the chaos suite, the rules of the simulated model, and the callers' lines. Every utterance has
 * a mark, `[c07/3]` = the third of case c07. The model passes it to the tools and back in its reply, so that
 * every received request shows the words of the call that caused it.
 */
export interface Tool {
  name: string;
  definition: Record<string, unknown>;
}

export interface OrderDesk {
  nodes: ReturnType<typeof node>[];
  edges: ReturnType<typeof edge>[];
}

/** Webhook nodes by the behavior of their endpoint. */
export const endpoints = ['steady', 'shaky', 'closed', 'gone'] as const;
export type Endpoint = (typeof endpoints)[number];

/** The tools, which send requests to the server at `url`. */
export function orderDeskTools(url: string): Tool[] {
  const parameters = ['item', 'mark'].map((name) => ({ name, type: 'string', description: name }));
  const http = (method: string, path: string) => ({
    type: 'http_api',
    config: { method, url: `${url}${path}`, timeout_ms: 5000, parameters },
  });
  return [
    { name: 'Place order', definition: http('POST', '/order') },
    { name: 'Check stock', definition: http('GET', '/stock') },
    { name: 'Calculate', definition: { type: 'calculator' } },
    { name: 'Hang up', definition: { type: 'end_call', config: { endCallReason: true } } },
  ];
}

/**
 * The graph: welcome, order, pay, goodbye; a value to fetch before the opening, a judge, and one webhook for
 * each endpoint.
 */
export function orderDesk({ url, toolUuids }: { url: string; toolUuids: string[] }): OrderDesk {
  const step = (name: string) => ({ name, prompt: `STEP ${name.toUpperCase()}. Case {{case}}.` });
  const read = (...names: string[]) => ({
    extraction_enabled: true,
    extraction_variables: names.map((name) => ({ name, type: 'string', prompt: name })),
  });
  const payload = {
    case: '{{initial_context.case}}',
    drink: '{{gathered_context.drink}}',
    size: '{{gathered_context.size | not said}}',
    disposition: '{{gathered_context.call_disposition}}',
    score: '{{annotations.qa_quality.score}}',
  };
  const webhook = (name: Endpoint) =>
    node(name, 'webhook', { name, endpoint_url: `${url}/hook/${name}`, payload_template: payload });
  return {
    nodes: [
      node('welcome', 'startCall', {
        ...step('Welcome'),
        greeting: 'Welcome, {{title | dear customer}}.',
        pre_call_fetch_mode: 'always',
        pre_call_fetch_url: `${url}/title`,
      }),
      node('order', 'agentNode', { ...step('Order'), ...read('drink', 'size'), tool_uuids: toolUuids }),
      node('pay', 'agentNode', { ...step('Pay'), ...read('payment'), tool_uuids: toolUuids }),
      node('goodbye', 'endCall', { ...step('Goodbye'), ...read('mood') }),
      node('quality', 'qa', { name: 'Quality', qa_enabled: true, qa_min_call_duration: 0 }),
      ...endpoints.map(webhook),
    ],
    edges: [
      edge('e1', 'welcome', 'order', 'ready'),
      edge('e2', 'order', 'pay', 'to pay'),
      edge('e3', 'pay', 'goodbye', 'done'),
    ],
  };
}

/** The rules of the simulated model, by step and by the caller's last words. */
export function orderDeskRules(): Rule[] {
  const order = (item: string) => ({ tool: 'place_order', arguments: { item, mark: '{{mark}}' } });
  return [
    {
      name: 'summary',
      when: { systemText: 'Summarize the conversation' },
      answer: { say: 'Something was ordered.' },
    },
    {
      name: 'judge',
      when: { wantsJson: true, systemText: 'You judge how well a voice assistant handled' },
      answer: {
        say: JSON.stringify({
          call_quality_score: 9,
          overall_sentiment: 'neutral',
          summary: 'Served.',
          tags: [],
        }),
      },
    },
    {
      name: 'read',
      when: { wantsJson: true },
      answer: { read: { drink: [{ pattern: 'order (tea)' }], payment: [{ pattern: 'by (card|cash)' }] } },
    },
    says('WELCOME', 'ready', { call: { tool: 'ready' } }),
    says('ORDER', 'ready', { say: 'What would you like? ({{mark}})' }),
    ...uses('ORDER', 'order tea', order('tea'), {
      unknown: unsure,
      order_number: 'Tea is ordered. ({{mark}})',
    }),
    ...uses(
      'ORDER',
      'is there',
      { tool: 'check_stock', arguments: { item: 'cake', mark: '{{mark}}' } },
      { in_stock: 'There is. ({{mark}})' },
    ),
    ...uses(
      'ORDER',
      '12 \\* 3',
      { tool: 'calculate', arguments: { expression: '12 * 3' } },
      { 36: 'It is 36. ({{mark}})' },
    ),
    ...uses('ORDER', 'order cake and bread', [order('cake'), order('bread')], {
      unknown: unsure,
      order_number: 'Both are ordered. ({{mark}})',
    }),
    says('ORDER', 'pay', { call: { tool: 'to_pay' } }),
    says('PAY', 'hang up', {
      say: 'As you like. ({{mark}})',
      call: { tool: 'hang_up', arguments: { reason: 'in_a_hurry' } },
    }),
    says('PAY', 'by card', { call: { tool: 'done' } }),
    says('PAY', 'pay', { say: 'Card or cash? ({{mark}})' }),
    says('GOODBYE', '', { say: 'Goodbye. ({{mark}})' }),
  ];
}

const unsure = 'I do not know whether that worked. ({{mark}})';

function says(step: string, words: string, answer: Rule['answer'], toolResult?: string): Rule {
  const when = {
    systemText: `STEP ${step}.`,
    wantsJson: false,
    userPattern: `${words}.*\\[(?<mark>[^\\]]+)\\]`,
    ...(toolResult === undefined ? {} : { toolResult }),
  };
  return { name: `${step} ${words} ${toolResult ?? ''}`, when, answer };
}

/** A rule that calls tools, after rules for their results: the first whose key is a part of the results. */
function uses(
  step: string,
  words: string,
  call: NonNullable<Rule['answer']['call']>,
  answers: Record<string, string>,
): Rule[] {
  return [
    ...Object.entries(answers).map(([result, say]) => says(step, words, { say }, result)),
    says(step, words, { call }),
  ];
}

/** The next step of a caller. `back` = a rewind to after the turn of that number (0 = the opening). */
export type CallerStep = { say: string; replies: string[]; orders: string[] } | { back: number } | 'end';

/**
 * Endings of cases, in rotation: at the End Call node, by the model's tool, by the caller, at the End Call
 * node. Every second one rewinds.
 */
const endings = ['user_qualified', 'in_a_hurry', 'user_hangup', 'user_qualified'] as const;

export interface Case {
  name: string;
  disposition: string;
  steps: CallerStep[];
}

/** The case with that number, from 1. */
export function orderCase(index: number): Case {
  const name = `c${String(index).padStart(2, '0')}`;
  const variant = index % endings.length;
  let count = 0;
  const say = (words: string, replies: string[], orders: string[] = []): CallerStep => {
    count += 1;
    const mark = `${name}/${count}`;
    return {
      say: `${words} [${mark}]`,
      replies: replies.map((reply) => `${reply} (${mark})`),
      orders: orders.map((item) => `${item} ${mark}`),
    };
  };
  const unknown = 'I do not know whether that worked.';
  const steps = [
    say('I am ready', ['What would you like?']),
    say('I order tea', ['Tea is ordered.', unknown], ['tea']),
    say('Is there cake?', ['There is.']),
    ...(variant % 2 === 1 ? [{ back: 2 }, say('And is there pie?', ['There is.'])] : []),
    say('What is 12 * 3?', ['It is 36.']),
    say('Then I order cake and bread', ['Both are ordered.', unknown], ['cake', 'bread']),
    say('I want to pay', ['Card or cash?']),
    ...lastSteps(variant, say),
  ];
  return { name, disposition: endings[variant] ?? '', steps };
}

function lastSteps(variant: number, say: (words: string, replies: string[]) => CallerStep): CallerStep[] {
  if (variant === 1) return [say('No time, hang up', ['As you like.'])];
  return variant === 2 ? ['end'] : [say('I pay by card', ['Goodbye.'])];
}

/**
 * The final lines, each with every reply that is allowed there. Lines removed by a rewind are not included.
 */
export function expectedLines({ steps }: Case): string[][] {
  const turns: string[][][] = [[openings]];
  for (const step of steps) {
    if (step === 'end') continue;
    if ('back' in step) turns.splice(step.back + 1);
    else turns.push([[step.say], step.replies]);
  }
  return turns.flat();
}

/** The title is fetched once; if the worker dies at that time, it is missing. */
const openings = ['Welcome, Captain.', 'Welcome, dear customer.'];
