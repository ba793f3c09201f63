import { openingId } from './design.ts';
import { callBackLater, toCallBackLater, toWrongPerson, wrongPerson } from './shared-ends.ts';
import { settingsFor, type AgentTemplate } from './template.ts';

export const customerSurvey: AgentTemplate = {
  id: 4,
  name: 'Customer survey',
  description: 'Asks three questions after a service: how likely to recommend, why, and what should improve.',
  addedAt: new Date('2026-11-21T00:00:00Z'),
  design: {
    callType: 'outbound',
    greeting:
      'Hello {{first_name | there}}, this is {{agent_name | Leo}}, the AI assistant of {{company_name | our company}}. I have three short questions about {{experience | your last visit}}. Do you have a minute?',
    role: [
      'You are {{agent_name | Leo}}, the AI assistant of {{company_name | our company}}. You ask {{first_name | a customer}} how they liked {{experience | their last visit}}.',
      'You want to hear what the person thinks. Never defend the company, never suggest an answer, never explain why something went wrong. Taking part is voluntary, and so is every answer.',
    ].join('\n'),
    opening: {
      name: 'Opening',
      prompt:
        'Task in this step: find out whether the person has a minute and wants to take part. If they ask, say that it takes about two minutes and that the answers go to {{company_name | the company}} only.',
    },
    steps: [
      {
        id: 'score',
        name: 'Score',
        prompt:
          'Task in this step: ask on a scale from zero to ten how likely the person is to recommend {{company_name | the company}} to a friend. Zero is not at all, ten is certainly. If the answer is not a number from zero to ten, ask for one once. Do not comment on the number.',
        variables: [
          {
            name: 'score',
            type: 'number',
            prompt: 'The number from 0 to 10 that the person gave; null when they gave none',
          },
        ],
      },
      {
        id: 'why',
        name: 'Why',
        prompt:
          'Task in this step: ask for the most important reason for that number. If the answer is only one word, ask once for an example. Then thank the person for it.',
        variables: [
          {
            name: 'score_reason',
            type: 'string',
            prompt: 'The reason for the number, in the words of the person',
          },
          {
            name: 'is_complaint',
            type: 'boolean',
            prompt: 'true if the person complained about something specific',
          },
        ],
      },
      {
        id: 'better',
        name: 'What should be better',
        prompt:
          'Task in this step: ask for one thing that should be better next time. Then ask whether someone from the team may call about it, and wait for a yes or no.',
        variables: [
          {
            name: 'improvement',
            type: 'string',
            prompt: 'What should be better next time, in the words of the person',
          },
          {
            name: 'may_contact',
            type: 'boolean',
            prompt: 'true if someone from the team may call about it, false if not',
          },
        ],
      },
    ],
    ends: [
      {
        id: 'finished',
        name: 'Survey finished',
        disposition: 'survey_completed',
        prompt: 'All questions were asked. Thank the person for their time in one sentence and say goodbye.',
      },
      {
        id: 'declined',
        name: 'Survey declined',
        disposition: 'survey_declined',
        prompt:
          'The person does not want to take part or to continue. Say that this is perfectly fine, thank them and say goodbye.',
      },
      wrongPerson,
      callBackLater,
    ],
    ways: [
      {
        from: openingId,
        to: 'score',
        label: 'Takes part',
        condition: 'The person has a minute and wants to take part.',
      },
      {
        from: openingId,
        to: 'declined',
        label: 'Declines',
        condition: 'The person does not want to take part.',
      },
      toWrongPerson,
      toCallBackLater,
      {
        from: 'score',
        to: 'why',
        label: 'Score given',
        condition: 'The person gave a number from zero to ten, or twice something else.',
      },
      { from: 'score', to: 'declined', label: 'Stops', condition: 'The person does not want to continue.' },
      {
        from: 'why',
        to: 'better',
        label: 'Reason given',
        condition: 'The person gave a reason or does not want to give one.',
      },
      { from: 'why', to: 'declined', label: 'Stops', condition: 'The person does not want to continue.' },
      {
        from: 'better',
        to: 'finished',
        label: 'Survey done',
        condition: 'The last question was answered, or the person has nothing to add.',
      },
    ],
    passOn: ['customer_id', 'experience'],
  },
  tagline: 'Three short questions about your visit',
  sampleReplies: {
    [openingId]: ['All right, ask me.', "I'm busy right now.", 'No, thank you.'],
    score: ['I would say 9.', 'Maybe 4.', 'Please stop here.'],
    why: ['Because the staff was kind.', 'No reason in particular.', 'Please stop here.'],
    better: ['Better coffee. And yes, you may call.', 'Nothing, and no call please.'],
  },
  testValues: {
    agent_name: 'Leo',
    company_name: 'Harbor Hotel',
    first_name: 'Robin',
    customer_id: 'G-310',
    experience: 'your stay last weekend',
  },
  settings: settingsFor({ minutes: 5, callType: 'outbound' }),
};
