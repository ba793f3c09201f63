import type { AgentDesign } from '../../src/domain/agent-templates/design.ts';

/** The smallest valid agent. */
export const smallDesign: AgentDesign = {
  callType: 'outbound',
  greeting: 'Hello, this is the AI assistant of {{company_name | our company}}. Do you have a moment?',
  role: 'You take orders.',
  opening: { name: 'Opening', prompt: 'Ask whether there is a moment.', variables: [] },
  steps: [
    {
      id: 'order',
      name: 'Order',
      prompt: 'Take the order.',
      variables: [{ name: 'order', type: 'string', prompt: 'What was ordered' }],
    },
  ],
  ends: [{ id: 'taken', name: 'Taken', prompt: 'Say goodbye.', disposition: 'order_taken', variables: [] }],
  ways: [
    { from: 'opening', to: 'order', label: 'Has a moment', condition: 'There is a moment.' },
    { from: 'order', to: 'taken', label: 'Order taken', condition: 'The order is known.' },
  ],
  passOn: [],
};
