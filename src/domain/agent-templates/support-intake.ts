import { openingId } from './design.ts';
import { settingsFor, type AgentTemplate } from './template.ts';

export const supportIntake: AgentTemplate = {
  id: 5,
  name: 'Support intake',
  description:
    'Answers the support line: who calls, what is wrong and how urgent it is; a ticket with everything goes to the team.',
  addedAt: new Date('2026-11-21T00:00:00Z'),
  design: {
    callType: 'inbound',
    greeting:
      'Hello, you are talking to {{agent_name | Nova}}, the AI assistant of {{company_name | our support}}. I take down what is wrong and hand it to the team. What can we do for you?',
    role: [
      'You are {{agent_name | Nova}}, the AI assistant on the support line of {{company_name | our company}}. You take down problems with {{product | our product}}; people of the team solve them.',
      'The team answers {{response_time | within one working day}}. In an emergency people call {{emergency_phone | the number of the emergency services}}. Today is {{current_weekday}}, {{current_time}}.',
      'Do not guess causes and do not promise a solution. Never ask for a password, a card number or a code.',
    ].join('\n'),
    opening: {
      name: 'Opening',
      prompt:
        'Task in this step: understand in one or two sentences what the call is about. If it is an emergency in which someone may be hurt, give the emergency number at once. If the person only wants to talk to a human, that is fine as well.',
    },
    steps: [
      {
        id: 'problem',
        name: 'The problem',
        prompt:
          'Task in this step: ask, one after the other, what exactly happens, since when, and what was tried already. Skip what was said before. Repeat the problem in one sentence and wait for a yes.',
        variables: [
          { name: 'problem', type: 'string', prompt: 'The problem in one or two sentences' },
          { name: 'since_when', type: 'string', prompt: 'Since when it happens, in the words of the person' },
          { name: 'tried_already', type: 'string', prompt: 'What the person has tried already' },
        ],
      },
      {
        id: 'urgency',
        name: 'How urgent it is',
        prompt:
          'Task in this step: ask whether the person can continue to work, and how many people it affects.',
        variables: [
          {
            name: 'can_work',
            type: 'boolean',
            prompt: 'true if the person can continue to work',
          },
          { name: 'people_affected', type: 'number', prompt: 'How many people the problem affects' },
        ],
      },
      {
        id: 'contact',
        name: 'Who calls',
        prompt:
          'Task in this step: ask for the name, then for the number or email address under which the team reaches the person, then for the customer number if there is one. Read back the number or address piece by piece and wait for a yes.',
        variables: [
          { name: 'caller_name', type: 'string', prompt: 'The name of the person' },
          { name: 'contact', type: 'string', prompt: 'The phone number or email address for the answer' },
          { name: 'customer_number', type: 'string', prompt: 'The customer number, if one was given' },
        ],
      },
    ],
    ends: [
      {
        id: 'ticket',
        name: 'Ticket taken',
        disposition: 'ticket_created',
        prompt:
          'Everything is noted. Say that the team answers {{response_time | within one working day}}, thank the person and say goodbye.',
      },
      {
        id: 'wants_human',
        name: 'Wants a person',
        disposition: 'human_requested',
        prompt:
          'The person wants to talk to a human. Say that you have noted it and that someone calls back on this number {{response_time | within one working day}}. Say goodbye.',
      },
      {
        id: 'emergency',
        name: 'Emergency',
        disposition: 'emergency',
        prompt:
          'Someone may be in danger. Say clearly that the person should now call {{emergency_phone | the number of the emergency services}}, and say goodbye so that the line is free.',
      },
      {
        id: 'not_for_us',
        name: 'Not for us',
        disposition: 'not_for_us',
        prompt: 'The call is for someone else, or a mistake. Say so kindly and say goodbye.',
      },
    ],
    ways: [
      {
        from: openingId,
        to: 'problem',
        label: 'Has a problem',
        condition: 'It is about a problem or a question that the team can take care of.',
      },
      {
        from: openingId,
        to: 'wants_human',
        label: 'Wants a person',
        condition: 'The person does not want to talk to an AI or asks for a human.',
      },
      { from: openingId, to: 'emergency', label: 'Emergency', condition: 'Someone is hurt or in danger.' },
      {
        from: openingId,
        to: 'not_for_us',
        label: 'Not for us',
        condition: 'The call is a mistake or about something that has nothing to do with the company.',
      },
      {
        from: 'problem',
        to: 'urgency',
        label: 'Problem understood',
        condition: 'You repeated the problem and the person said that it is right.',
      },
      {
        from: 'problem',
        to: 'wants_human',
        label: 'Wants a person',
        condition: 'The person does not want to continue with an AI or asks for a human.',
      },
      {
        from: 'urgency',
        to: 'contact',
        label: 'Urgency clear',
        condition:
          'You know whether the person can continue to work and how many people it affects, or they do not want to say.',
      },
      {
        from: 'contact',
        to: 'ticket',
        label: 'Contact noted',
        condition: 'You know how the team reaches the person, and they said that it is right.',
      },
    ],
    passOn: ['caller_number'],
  },
  tagline: 'What is wrong, and how urgent is it?',
  sampleReplies: {
    [openingId]: [
      'The program does not start.',
      'I want to talk to a human.',
      'Somebody is hurt.',
      'Sorry, wrong number.',
    ],
    problem: [
      'Since this morning. I restarted it twice.',
      "Yes, that's right.",
      'I want to talk to a human.',
    ],
    urgency: ["I can't work, and 12 of us neither.", 'I can work, it is only me.'],
    contact: ['Kim Park, kim@example.com.', "Yes, that's right."],
  },
  testValues: {
    agent_name: 'Nova',
    company_name: 'Acme Software',
    product: 'the Acme accounting program',
    response_time: 'within four hours',
    emergency_phone: 'one one two',
    caller_number: '12025550143',
  },
  settings: settingsFor({ minutes: 8, callType: 'inbound' }),
};
