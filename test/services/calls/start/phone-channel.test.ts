import { expect, test } from '@jest/globals';
import { agentTemplates } from '../../../../src/domain/agent-templates/templates.ts';
import { readAgentSettings } from '../../../../src/domain/agents/settings.ts';
import { phoneChannel } from '../../../../src/services/calls/index.ts';

const phone = { provider: 'telnyx', configurationId: 1, phoneNumberId: 2 };
/** How a call by phone meets a machine, by the stored settings of its agent. */
const channelOf = (direction: 'inbound' | 'outbound', settings: Parameters<typeof readAgentSettings>[0]) => {
  const { detectsMachines, leavesMessage } = phoneChannel(readAgentSettings(settings), {
    ...phone,
    direction,
  });
  return { detectsMachines, leavesMessage };
};

test('a call detects answering machines if we dial it and its agent says so, and leaves a message only on one it detects', () => {
  const listens = { detectsMachines: true, leavesMessage: undefined };
  const leaves = { detectsMachines: true, leavesMessage: true };
  const deaf = { detectsMachines: false, leavesMessage: undefined };
  for (const [direction, enabled, leave_message, expected] of [
    ['outbound', true, false, listens],
    ['outbound', true, true, leaves],
    ['outbound', false, false, deaf],
    ['outbound', false, true, deaf],
    ['inbound', true, false, deaf],
    ['inbound', true, true, deaf],
    ['inbound', false, false, deaf],
    ['inbound', false, true, deaf],
  ] as const)
    expect({
      direction,
      enabled,
      leave_message,
      ...channelOf(direction, { voicemail_detection: { enabled, leave_message } }),
    }).toEqual({ direction, enabled, leave_message, ...expected });
  expect(channelOf('outbound', {})).toEqual(deaf);
});

test('a call of every shipped agent that calls people detects answering machines, and of no other', () => {
  const detecting = agentTemplates.filter(({ settings }) => channelOf('outbound', settings).detectsMachines);
  const calling = agentTemplates.filter(({ design }) => design.callType === 'outbound');
  expect(detecting.map(({ name }) => name)).toEqual(calling.map(({ name }) => name));
  expect(calling.length).toBeGreaterThan(0);
});
