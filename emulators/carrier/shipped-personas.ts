import type { PersonaInput } from './persona.ts';

/**
 * Which persona answers which number, by its last digits; the first match applies. Endings `016…` are for the
 * numbers of `examples/contacts.csv`, which are not in use.
 */
export const shippedPersonas: readonly { endings: readonly string[]; persona: PersonaInput }[] = [
  { endings: ['0001', '0161'], persona: { name: 'busy', steps: [{ do: 'ring', ms: 300 }, { do: 'busy' }] } },
  { endings: ['0002'], persona: { name: 'does not answer', steps: [{ do: 'no_answer' }] } },
  {
    endings: ['0003', '0163'],
    persona: { name: 'declines', steps: [{ do: 'ring', ms: 800 }, { do: 'reject' }] },
  },
  { endings: ['0004', '0164'], persona: { name: 'no such number', steps: [{ do: 'not_found' }] } },
  {
    endings: ['0005', '0165'],
    persona: { name: 'answering machine', steps: [{ do: 'ring', ms: 500 }, { do: 'machine' }] },
  },
  { endings: ['0006'], persona: { name: 'fax', steps: [{ do: 'ring', ms: 500 }, { do: 'fax' }] } },
  {
    endings: ['0007'],
    persona: { name: 'says nothing', steps: [{ do: 'ring', ms: 500 }, { do: 'answer' }] },
  },
  {
    endings: ['0008', '0168'],
    persona: {
      name: 'hangs up on the greeting',
      steps: [{ do: 'ring', ms: 500 }, { do: 'answer' }, { do: 'hangup', after: 'agentDone' }],
    },
  },
  {
    endings: ['0009'],
    persona: {
      name: 'interrupts',
      steps: [
        { do: 'ring', ms: 500 },
        { do: 'answer' },
        { do: 'interrupt', text: 'Hello, who is this?', afterMs: 700 },
        { do: 'converse', rules: [] },
      ],
    },
  },
  {
    // The callee of the demonstration (tools/demo): she cannot come, and interrupts with another day while
    // the agent still says the opening hours.
    endings: ['0142'],
    persona: {
      name: 'Maria',
      steps: [
        { do: 'ring', ms: 1_200 },
        { do: 'answer' },
        { do: 'say', text: 'Yes, now is fine.' },
        { do: 'say', text: "I'm afraid I can't make it on Tuesday, I have to travel for work." },
        { do: 'interrupt', text: 'Could we do Thursday at 3 PM instead?', atAgentWord: 'we are open' },
        { do: 'expectHeard', pattern: 'is that right' },
        {
          do: 'converse',
          rules: [
            { heard: 'which day', say: 'Could we do Thursday at 3 PM instead?' },
            { heard: 'is that right', say: "Yes, that's right." },
            {
              heard: 'do you come alone',
              say: 'My daughter will be seen too, so there are two of us. Do I have to pay for parking?',
            },
            { heard: 'anything else', say: "No, that's everything, thank you. You don't need to call back." },
            { heard: 'good ?bye', hangsUp: true },
          ],
          otherwise: 'Sorry, what did you say?',
        },
      ],
    },
  },
  {
    endings: [''],
    persona: {
      name: 'answers politely',
      steps: [
        { do: 'ring', ms: 500 },
        { do: 'answer' },
        { do: 'converse', rules: [{ heard: 'good ?bye', hangsUp: true }], otherwise: 'Yes, that is right.' },
      ],
    },
  },
];
