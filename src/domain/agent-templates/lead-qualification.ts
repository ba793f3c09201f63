import { openingId } from './design.ts';
import { callBackLater, toCallBackLater, toWrongPerson, wrongPerson } from './shared-ends.ts';
import { settingsFor, type AgentTemplate } from './template.ts';

export const leadQualification: AgentTemplate = {
  id: 2,
  name: 'Lead qualification',
  description:
    'Calls people who asked for information: asks about need, budget, time and decision makers; a suitable lead gets an appointment with a colleague.',
  addedAt: new Date('2026-11-21T00:00:00Z'),
  design: {
    callType: 'outbound',
    greeting:
      'Hello {{first_name | there}}, this is {{agent_name | Noah}}, the AI assistant of {{company_name | our company}}. You asked us about {{product | our offer}}. Do you have two minutes?',
    role: [
      'You are {{agent_name | Noah}}, the AI assistant of {{company_name | our company}}. {{first_name | The person}} asked for information about {{product | our offer}}, and you find out whether it fits.',
      'What it is: {{product_description | a service that a colleague explains in detail}}. Who it is for: {{ideal_customer | companies of any size}}. Prices: {{price_information | a colleague names a price when the need is clear}}.',
      'You do not sell and you do not press. When it does not fit, say so kindly. Today is {{current_weekday}}, {{current_time}}.',
    ].join('\n'),
    opening: {
      name: 'Opening',
      prompt:
        'Task in this step: find out whether you speak with the person who asked, and whether they have two minutes. If they do not remember having asked, say when they did if you know it ({{asked_at | recently}}), and ask whether they still want to hear about it.',
    },
    steps: [
      {
        id: 'need',
        name: 'Understand the need',
        prompt:
          'Task in this step: ask what the person wants to achieve and how they do it today. One question after the other. Briefly repeat what you understood.',
        variables: [
          { name: 'need', type: 'string', prompt: 'What the person wants to achieve, in one sentence' },
          { name: 'current_solution', type: 'string', prompt: 'How they do it today' },
        ],
      },
      {
        id: 'fit',
        name: 'Budget, time and who decides',
        prompt:
          'Task in this step: ask, one after the other, by when they want a solution, whether there is a budget and roughly how large, and who else takes part in the decision. Accept it when someone does not want to name a number.',
        variables: [
          { name: 'timeline', type: 'string', prompt: 'By when they want a solution, in their own words' },
          {
            name: 'budget',
            type: 'number',
            prompt: 'The budget as a number without currency; null when none was named',
          },
          {
            name: 'is_decision_maker',
            type: 'boolean',
            prompt: 'true if the person decides alone or together with others, false if someone else decides',
          },
        ],
      },
      {
        id: 'meeting',
        name: 'Agree on a meeting',
        prompt:
          'Task in this step: offer a talk with {{sales_person | a colleague}} and ask for two times that suit. Repeat what you understood and wait for a yes. Then ask for an email address for the invitation, and spell it back.',
        variables: [
          {
            name: 'meeting_time',
            type: 'string',
            prompt: 'The times that suit the person, in their own words',
          },
          {
            name: 'email',
            type: 'string',
            prompt: 'The email address for the invitation, written as an address',
          },
        ],
      },
    ],
    ends: [
      {
        id: 'qualified',
        name: 'Qualified',
        disposition: 'user_qualified',
        prompt:
          'A meeting is agreed. Say that the invitation comes by email, thank the person and say goodbye.',
      },
      {
        id: 'not_now',
        name: 'Does not fit',
        disposition: 'user_disqualified',
        prompt:
          'It does not fit now. Say that this is fine and that the person can come back at any time, thank them and say goodbye.',
        variables: [{ name: 'why_not', type: 'string', prompt: 'Why it does not fit, in one sentence' }],
      },
      wrongPerson,
      callBackLater,
    ],
    ways: [
      {
        from: openingId,
        to: 'need',
        label: 'Has time',
        condition: 'The right person is on the line and is willing to talk.',
      },
      {
        from: openingId,
        to: 'not_now',
        label: 'Not interested',
        condition: 'The person is no longer interested, or never was.',
      },
      toWrongPerson,
      toCallBackLater,
      {
        from: 'need',
        to: 'fit',
        label: 'Need understood',
        condition: 'You know what the person wants to achieve and how they do it today.',
      },
      {
        from: 'need',
        to: 'not_now',
        label: 'No need',
        condition: 'There is no need, or nothing that the offer could do for the person.',
      },
      {
        from: 'fit',
        to: 'meeting',
        label: 'Fits',
        condition: 'Time, budget and the decision makers were discussed, and there is real interest.',
        speech: 'That sounds like a good fit.',
      },
      {
        from: 'fit',
        to: 'not_now',
        label: 'Does not fit',
        condition: 'There is no budget, no time within a year, or no interest in continuing.',
      },
      {
        from: 'meeting',
        to: 'qualified',
        label: 'Meeting agreed',
        condition:
          'You repeated a time and the person said yes, and the email address is known or was refused.',
      },
      {
        from: 'meeting',
        to: 'not_now',
        label: 'No meeting',
        condition: 'The person does not want to talk to a colleague.',
      },
    ],
    passOn: ['first_name', 'lead_id'],
  },
  tagline: 'Does it fit, and shall a colleague call?',
  sampleReplies: {
    [openingId]: ['Sure, go ahead.', "I'm driving right now.", "I'm not interested."],
    need: ['We want to pay less for electricity, and today we buy all of it.', "We don't need anything."],
    fit: ['By spring, about 20000 euros, and I decide.', 'There is no budget for it.'],
    meeting: ['Monday at 10.', "That's right: sam@example.com.", "I don't want a meeting."],
  },
  testValues: {
    agent_name: 'Noah',
    company_name: 'Northwind Solar',
    first_name: 'Sam',
    lead_id: 'L-77',
    asked_at: 'yesterday evening, on our website',
    product: 'solar panels for companies',
    product_description: 'panels, battery and installation from one company, paid monthly',
    ideal_customer: 'companies with a roof of their own',
    price_information: 'most roofs cost between two and five hundred euros a month',
    sales_person: 'Jana from our planning team',
  },
  settings: settingsFor({ minutes: 8, callType: 'outbound' }),
};
