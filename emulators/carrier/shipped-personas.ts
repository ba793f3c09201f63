import type { PersonaInput } from './persona.ts';

/** Who answers which number, by its last digits; README.md lists them. The first that fits. */
export const shippedPersonas: readonly { endsWith: string; persona: PersonaInput }[] = [
  { endsWith: '0001', persona: { name: 'busy', steps: [{ do: 'ring', ms: 300 }, { do: 'busy' }] } },
  { endsWith: '0002', persona: { name: 'does not answer', steps: [{ do: 'no_answer' }] } },
  { endsWith: '0003', persona: { name: 'declines', steps: [{ do: 'ring', ms: 800 }, { do: 'reject' }] } },
  { endsWith: '0004', persona: { name: 'no such number', steps: [{ do: 'not_found' }] } },
  { endsWith: '0005', persona: { name: 'answering machine', steps: [{ do: 'ring', ms: 500 }, { do: 'machine' }] } },
  { endsWith: '0006', persona: { name: 'fax', steps: [{ do: 'ring', ms: 500 }, { do: 'fax' }] } },
  { endsWith: '0007', persona: { name: 'says nothing', steps: [{ do: 'ring', ms: 500 }, { do: 'answer' }] } },
  { endsWith: '0008', persona: { name: 'hangs up on the greeting', steps: [{ do: 'ring', ms: 500 }, { do: 'answer' }, { do: 'hangup', after: 'agentDone' }] } },
  {
    endsWith: '0009',
    persona: {
      name: 'interrupts',
      steps: [{ do: 'ring', ms: 500 }, { do: 'answer' }, { do: 'interrupt', text: 'Hello, who is this?', afterMs: 700 }, { do: 'converse', rules: [] }],
    },
  },
  {
    // Who the demonstration calls (tools/demo): she cannot come, and cuts in with another day while the agent still tells the opening hours.
    endsWith: '0142',
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
            { heard: 'do you come alone', say: 'My daughter will be seen too, so there are two of us. Do I have to pay for parking?' },
            { heard: 'anything else', say: "No, that's everything, thank you. You don't need to call back." },
            { heard: 'good ?bye', hangsUp: true },
          ],
          otherwise: 'Sorry, what did you say?',
        },
      ],
    },
  },
  { endsWith: '', persona: { name: 'answers politely', steps: [{ do: 'ring', ms: 500 }, { do: 'answer' }, { do: 'converse', rules: [{ heard: 'good ?bye', hangsUp: true }], otherwise: 'Yes, that is right.' }] } },
];
