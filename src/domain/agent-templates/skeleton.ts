import { openingId, type AgentDesign, type CallType } from './design.ts';

/** A customer's description of the agent to create (contract 1.4). */
export interface AgentWish {
  callType: CallType;
  useCase: string;
  activityDescription: string;
}

/** The agent that is created without a model: one step with the customer's own description. */
export function skeletonOf({ callType, useCase, activityDescription }: AgentWish): AgentDesign {
  const isOutbound = callType === 'outbound';
  const purpose = useCase.trim() === '' ? '' : ` What it is about: ${useCase.trim()}`;
  return {
    callType,
    greeting: isOutbound
      ? 'Hello, this is {{agent_name | Ava}}, the AI assistant of {{company_name | our company}}. Do you have a moment?'
      : 'Hello, you are talking to {{agent_name | Ava}}, the AI assistant of {{company_name | our company}}. How can I help you?',
    role: `You are {{agent_name | Ava}}, the AI assistant of {{company_name | our company}}. ${isOutbound ? 'You are calling someone.' : 'Someone is calling you.'}${purpose}`,
    opening: {
      name: 'Opening',
      prompt: `Task in this step: ${isOutbound ? 'find out whether you speak with the right person and whether they have a moment.' : 'find out what the person wants.'}`,
    },
    steps: [
      {
        id: 'task',
        name: 'Task',
        prompt:
          activityDescription.trim() === ''
            ? 'Task in this step: find out what the person wants, and note it.'
            : `Task in this step:\n${activityDescription.trim()}`,
        variables: [
          { name: 'summary', type: 'string', prompt: 'What was said and agreed, in one or two sentences' },
        ],
      },
    ],
    ends: [
      {
        id: 'finished',
        name: 'Finished',
        disposition: 'user_qualified',
        prompt:
          'Everything was said. Sum up in half a sentence what was agreed, thank the person and say goodbye.',
      },
      {
        id: 'not_now',
        name: 'Not now',
        disposition: 'user_disqualified',
        prompt:
          'The person has no time, is the wrong one or does not want to talk. Say that this is fine, thank them and say goodbye.',
      },
    ],
    ways: [
      {
        from: openingId,
        to: 'task',
        label: 'Goes on',
        condition: isOutbound
          ? 'The right person is on the line and has a moment.'
          : 'It is clear what the person wants.',
      },
      {
        from: openingId,
        to: 'not_now',
        label: 'Not now',
        condition: 'The person has no time, is the wrong one, or does not want to talk.',
      },
      {
        from: 'task',
        to: 'finished',
        label: 'Task done',
        condition: 'Everything that this step is for was said, or the person says goodbye.',
      },
      { from: 'task', to: 'not_now', label: 'Stops', condition: 'The person does not want to continue.' },
    ],
    passOn: [],
  };
}

const maxNameCharacters = 100;

/** The agent's name in lists. */
export function nameOf({ callType, useCase }: AgentWish): string {
  const [line = ''] = useCase.trim().split('\n');
  const name = Array.from(line.trim()).slice(0, maxNameCharacters).join('').trimEnd();
  return name === '' ? `New ${callType} agent` : name;
}
