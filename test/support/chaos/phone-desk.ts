import type { PersonaInput } from '../../../emulators/carrier/persona.ts';
import type { Rule } from '../../../emulators/llm/rules.ts';
import { edge, node } from '../definitions.ts';
import type { Tool } from './order-desk.ts';

/**
 * The agent of the phone chaos suite, the rules of the simulated model, and the callees. Every sentence of
 * the agent is one clause and is said once in a call, so that the heard text shows which clause was repeated
 * or left out. The callees answer only whole questions, and repeat what was not understood, so that every
 * call reaches its end.
 */

/** Endings of cases; the first word of each is its disposition. */
const endings = ['qualified', 'hurry', 'hangs_up', 'interrupts', 'transfer', 'busy', 'declines'] as const;
export type Ending = (typeof endings)[number];

export interface PhoneCase {
  name: string;
  number: string;
  ending: Ending;
  /** The expected disposition in the customer's webhook. */
  disposition: string;
  /** Clauses that the callee must hear, in order. */
  clauses: Clause[];
}

export interface Clause {
  text: string;
  /** The callee talks over it, so it may be cut off or left out. */
  mayBeCut?: true;
}

/** Said by the agent after a loss or a failure, or while no worker is there; these belong to no step. */
export const fillers = {
  recovery: ['Sorry, the line was gone for a moment.', 'Could you please say that again?'],
  pardon: ['Pardon?', 'What did you say?'],
  checkIn: ['Hello, are you still there?'],
  wait: ['One moment, please.'],
} as const;

export const deskNumber = '+12025550190';
const deskWords = 'This is the desk, hello.';

const dispositions: Record<Ending, string> = {
  qualified: 'user_qualified',
  hurry: 'in_a_hurry',
  hangs_up: 'user_hangup',
  interrupts: 'user_qualified',
  transfer: 'transfer_call',
  busy: 'busy',
  declines: 'busy',
};
/** Of ten cases, most talk to the end. */
const mix: readonly Ending[] = [
  'qualified',
  'hurry',
  'transfer',
  'qualified',
  'interrupts',
  'hangs_up',
  'qualified',
  'busy',
  'transfer',
  'hurry',
];

/** The case with that number, from 1. */
export function phoneCase(index: number): PhoneCase {
  const ending = mix[(index - 1) % mix.length] ?? 'qualified';
  const name = `c${String(index).padStart(2, '0')}`;
  return {
    name,
    number: `+1202556${String(index).padStart(4, '0')}`,
    ending,
    disposition: dispositions[ending],
    clauses: clausesOfCase(name, ending),
  };
}

const said = {
  welcome: (name: string) => ['Welcome.', `You are on list ${name}.`, 'Are you ready now?'],
  order: ['Very well.', 'We have tea and also cake.', 'Which one do you take?'],
  pay: ['It is noted.', 'You are the next one in our list.', 'How do you want to pay?'],
  thanks: ['Thank you.', 'The tea comes in an hour.', 'Goodbye!'],
  hurry: ['As you like.', 'We will call another day.'],
  transfer: ['One second.', 'I bring you to the desk.'],
};

function clausesOfCase(name: string, ending: Ending): Clause[] {
  const plain = (texts: readonly string[]): Clause[] => texts.map((text) => ({ text }));
  if (ending === 'busy' || ending === 'declines') return [];
  const welcome: Clause[] =
    ending === 'interrupts'
      ? [
          { text: 'Welcome.' },
          ...said
            .welcome(name)
            .slice(1)
            .map((text): Clause => ({ text, mayBeCut: true })),
        ]
      : plain(said.welcome(name));
  const begin = [...welcome, ...plain(said.order)];
  if (ending === 'hurry') return [...begin, ...plain(said.pay), ...plain(said.hurry)];
  if (ending === 'transfer') return [...begin, ...plain(said.transfer), { text: deskWords }];
  if (ending === 'hangs_up') return [...begin, ...plain(said.pay)];
  return [...begin, ...plain(said.pay), ...plain(said.thanks)];
}

/** The tools; `url` = the customer's server. */
export function phoneDeskTools(url: string): Tool[] {
  const order = {
    method: 'POST',
    url: `${url}/order`,
    timeout_ms: 5000,
    parameters: [{ name: 'item', type: 'string', description: 'item' }],
    preset_parameters: [{ name: 'case', type: 'string', value_template: '{{initial_context.case | none}}' }],
  };
  return [
    { name: 'Place order', definition: { type: 'http_api', config: order } },
    {
      name: 'To the desk',
      definition: {
        type: 'transfer_call',
        config: {
          destination: deskNumber,
          messageType: 'custom',
          customMessage: said.transfer.join(' '),
          timeout: 20,
        },
      },
    },
    {
      name: 'Hang up',
      definition: {
        type: 'end_call',
        config: { endCallReason: true, messageType: 'custom', customMessage: said.hurry.join(' ') },
      },
    },
  ];
}

export function phoneDesk({ url, toolUuids }: { url: string; toolUuids: string[] }) {
  const step = (name: string) => ({ name, prompt: `STEP ${name.toUpperCase()}.`, allow_interrupt: true });
  return {
    nodes: [
      node('welcome', 'startCall', {
        ...step('Welcome'),
        greeting_type: 'text',
        greeting: said.welcome('{{case | none}}').join(' '),
      }),
      node('order', 'agentNode', {
        ...step('Order'),
        tool_uuids: toolUuids,
        extraction_enabled: true,
        extraction_variables: [{ name: 'drink', type: 'string', prompt: 'drink' }],
      }),
      node('goodbye', 'endCall', step('Goodbye')),
      node('begin', 'trigger', { name: 'Begin', enabled: true, trigger_path: triggerPath }),
      node('result', 'webhook', {
        name: 'Result',
        enabled: true,
        endpoint_url: `${url}/result`,
        payload_template: {
          case: '{{initial_context.case | none}}',
          drink: '{{gathered_context.drink | none}}',
        },
      }),
    ],
    edges: [edge('e1', 'welcome', 'order', 'ready'), edge('e2', 'order', 'goodbye', 'paid')],
  };
}

export const triggerPath = 'phone-desk';

/** Rules of the simulated model for the caller's words. */
export function phoneDeskRules(): Rule[] {
  return [
    {
      name: 'read',
      when: { wantsJson: true, userText: 'drink' },
      answer: { read: { drink: [{ pattern: 'take the (tea)' }] } },
    },
    {
      name: 'silence',
      when: { systemText: ['STEP ', 'has not said anything for a while'] },
      answer: { say: fillers.checkIn[0] },
    },
    atNode('WELCOME', 'ready', { call: { tool: 'ready' } }),
    atNode('ORDER', 'person', { call: { tool: 'to_the_desk' } }),
    atNode('ORDER', 'no time', { call: { tool: 'hang_up', arguments: { reason: 'in_a_hurry' } } }),
    atNode('ORDER', 'card', { call: { tool: 'paid' } }),
    { ...atNode('ORDER', 'tea', { say: said.pay.join(' ') }, ''), name: 'ORDER told' },
    atNode('ORDER', 'tea', { call: { tool: 'place_order', arguments: { item: 'tea' } } }),
    atNode('ORDER', 'ready', { say: said.order.join(' '), pieceDelayMs: 30 }),
    {
      name: 'GOODBYE',
      when: { systemText: 'STEP GOODBYE.', wantsJson: false },
      answer: { say: said.thanks.join(' ') },
    },
    {
      name: 'pardon',
      when: { systemText: 'STEP ', wantsJson: false },
      answer: { say: fillers.pardon.join(' ') },
    },
  ];
}

function atNode(node: string, userText: string, answer: Rule['answer'], toolResult?: string): Rule {
  return {
    name: `${node} ${userText}`,
    when: {
      systemText: `STEP ${node}.`,
      userText,
      wantsJson: false,
      ...(toolResult === undefined ? {} : { toolResult }),
    },
    answer,
  };
}

type ConverseRule = Extract<PersonaInput['steps'][number], { do: 'converse' }>['rules'][number];

export function personaOf({ name, ending }: PhoneCase): PersonaInput {
  const ring = { do: 'ring', ms: 900 } as const;
  if (ending === 'busy') return { name, steps: [ring, { do: 'busy' }] };
  if (ending === 'declines') return { name, steps: [ring, { do: 'reject' }] };
  const notUnderstood: ConverseRule[] = [
    { heard: 'say that again\\?$|what did you say\\?$|still there\\?$', again: true },
  ];
  const begin: ConverseRule[] = [...notUnderstood, { heard: 'ready now\\?$', say: 'I am ready.' }];
  return {
    name,
    steps: [
      ring,
      { do: 'answer' },
      ...(ending === 'interrupts'
        ? ([{ do: 'interrupt', text: 'I am ready.', atAgentWord: 'you are on' }] as const)
        : []),
      { do: 'converse', otherwise: null, rules: [...begin, ...rest(ending)] },
    ],
  };
}

function rest(ending: Ending): ConverseRule[] {
  const tea: ConverseRule = {
    heard: 'do you take\\?$',
    say: ending === 'transfer' ? 'A person please.' : 'I take the tea.',
  };
  const pay = 'want to pay\\?$';
  if (ending === 'hangs_up') return [tea, { heard: pay, hangsUp: true }];
  return [tea, { heard: pay, say: ending === 'hurry' ? 'I have no time.' : 'By card.' }];
}

/**
 * The destination of transfers: waits for the caller for any time, introduces itself, and hangs up when the
 * caller has heard it.
 */
export const deskPersona: PersonaInput = {
  name: 'the desk',
  steps: [
    { do: 'ring', ms: 1500 },
    { do: 'answer' },
    { do: 'joined' },
    { do: 'say', text: deskWords, after: 700 },
    { do: 'hangup', after: 500 },
  ],
};
