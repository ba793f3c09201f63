import type { Rule } from './rules.ts';

/**
 * Answers of the simulated model to a design request: always the same small agent, named after the request.
 */
export const designRules: readonly Rule[] = [
  {
    name: 'design: an agent',
    when: {
      wantsJson: true,
      systemText: 'You design voice agents for phone calls',
      userPattern: '"use_case":"(?<use>(?:[^"\\\\]|\\\\.){0,60})',
    },
    answer: { say: JSON.stringify(simulatedDesign()).replace('USE', '{{use}}') },
  },
];

function simulatedDesign() {
  const step = (name: string, prompt: string) => ({ name, prompt, variables: [] });
  return {
    name: 'Simulated: USE',
    greeting:
      'Hello, this is {{agent_name | Ava}}, a simulated AI assistant of {{company_name | our company}}. Do you have a moment?',
    role: 'You are {{agent_name | Ava}}, the AI assistant of {{company_name | our company}}. This design was simulated; write your own.',
    opening: step('Opening', 'Task in this step: find out whether the person has a moment.'),
    steps: [
      {
        id: 'matter',
        ...step('The matter', 'Task in this step: find out what the person wants, and say it back.'),
        variables: [{ name: 'wish', type: 'string', prompt: 'What the person wants, in one sentence' }],
      },
    ],
    ends: [
      { id: 'noted', disposition: 'noted', ...step('Noted', 'Thank the person and say goodbye.') },
      {
        id: 'no_time',
        disposition: 'no_time',
        ...step('No time', 'Say that this is fine, and say goodbye.'),
      },
    ],
    ways: [
      { from: 'opening', to: 'matter', label: 'Has a moment', condition: 'The person has a moment.' },
      {
        from: 'opening',
        to: 'no_time',
        label: 'No time',
        condition: 'The person has no time, or is the wrong one.',
      },
      {
        from: 'matter',
        to: 'noted',
        label: 'All noted',
        condition: 'The person said yes to what you said back.',
      },
    ],
  };
}
