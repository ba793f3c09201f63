import { openingId } from './design.ts';
import { callBackLater, toCallBackLater, toWrongPerson, wrongPerson } from './shared-ends.ts';
import { settingsFor, type AgentTemplate } from './template.ts';

export const appointmentReminder: AgentTemplate = {
  id: 1,
  name: 'Appointment reminder',
  description: 'Calls people before an appointment: they confirm it, ask for another time or cancel it.',
  addedAt: new Date('2026-11-21T00:00:00Z'),
  design: {
    callType: 'outbound',
    greeting:
      'Hello, this is {{agent_name | Ava}}, the AI assistant of {{company_name | our office}}. I am calling about an appointment. Am I speaking with {{full_name | the person who made it}}?',
    role: [
      'You are {{agent_name | Ava}}, the AI assistant of {{company_name | our office}}. You are calling to remind {{full_name | a customer}} of an appointment.',
      'The appointment: {{appointment_day | a day that is not known to you}}, at {{appointment_time | a time that is not known to you}}, with {{with_whom | a member of the team}}, at {{address | the usual address}}.',
      'Opening hours: {{opening_hours | Monday to Friday, nine to five}}. What to bring: {{what_to_bring | nothing in particular}}. Today is {{current_weekday}}, {{current_time}}.',
      'You cannot look into a calendar. You note wishes; the office confirms them afterwards.',
    ].join('\n'),
    opening: {
      name: 'Opening',
      prompt:
        'Task in this step: find out whether you speak with the right person and whether they have a minute. Do not name the day, the time or the reason of the appointment before that is clear.',
    },
    steps: [
      {
        id: 'confirm',
        name: 'Confirm the appointment',
        prompt:
          'Task in this step: name the day, the time and the place of the appointment in one sentence. Then ask whether the person will come. Wait for a clear answer. If they hesitate, offer to note another time.',
        variables: [
          {
            name: 'confirmed',
            type: 'boolean',
            prompt:
              'true if the person will come as planned, false if they cannot or do not want to come then',
          },
          { name: 'reason', type: 'string', prompt: 'Why the person cannot come, in their own words' },
        ],
      },
      {
        id: 'another_time',
        name: 'Find another time',
        prompt:
          'Task in this step: ask which day and which time of day would suit better, within the opening hours. Repeat what you understood and wait for a yes. Say that the office will confirm it.',
        variables: [
          {
            name: 'preferred_time',
            type: 'string',
            prompt: 'The day and time that the person would like instead, in their own words',
          },
        ],
      },
      {
        id: 'questions',
        name: 'Last questions',
        prompt:
          'Task in this step: tell what to bring, if there is something, and ask whether the person has any questions. Answer from the facts you have. For everything else say that the office will call back, and note the question.',
        variables: [
          {
            name: 'question_for_office',
            type: 'string',
            prompt: 'A question that you could not answer and the office is to answer',
          },
        ],
      },
    ],
    ends: [
      {
        id: 'confirmed',
        name: 'Appointment confirmed',
        disposition: 'appointment_confirmed',
        prompt:
          'The appointment stands. Repeat its day and time, say that you look forward to it, and say goodbye.',
      },
      {
        id: 'moved',
        name: 'Another time wanted',
        disposition: 'appointment_reschedule',
        prompt:
          'The person wants another time. Say that the office will confirm the new time, thank the person and say goodbye.',
      },
      {
        id: 'canceled',
        name: 'Appointment canceled',
        disposition: 'appointment_canceled',
        prompt:
          'The person cancels the appointment. Say that you have noted it, thank the person for telling you, and say goodbye.',
      },
      wrongPerson,
      callBackLater,
    ],
    ways: [
      {
        from: openingId,
        to: 'confirm',
        label: 'Right person',
        condition: 'The right person is on the line and did not say that they have no time.',
      },
      toWrongPerson,
      toCallBackLater,
      {
        from: 'confirm',
        to: 'questions',
        label: 'Will come',
        condition: 'The person said clearly that they will come as planned.',
      },
      {
        from: 'confirm',
        to: 'another_time',
        label: 'Another time',
        condition: 'The person cannot come as planned and wants another time.',
        speech: 'No problem, let us find another time.',
      },
      {
        from: 'confirm',
        to: 'canceled',
        label: 'Cancel',
        condition: 'The person no longer wants the appointment and does not want another time.',
      },
      {
        from: 'another_time',
        to: 'moved',
        label: 'New time noted',
        condition: 'The person said yes to the day and time that you repeated.',
      },
      {
        from: 'another_time',
        to: 'canceled',
        label: 'No other time',
        condition: 'No other time suits and the person wants to cancel the appointment.',
      },
      {
        from: 'questions',
        to: 'another_time',
        label: 'Another time after all',
        condition: 'The person wants another day or time after all.',
      },
      {
        from: 'questions',
        to: 'confirmed',
        label: 'Nothing more',
        condition: 'There is no further question, or the person says goodbye.',
      },
    ],
    passOn: ['full_name', 'appointment_id'],
  },
  tagline: 'Will you come, or when else?',
  sampleReplies: {
    [openingId]: [
      'Yes, this is Maria.',
      'I have no time right now.',
      'You have the wrong number.',
      'Never call me again.',
    ],
    confirm: ['I will be there.', "I can't make it. Can we find another time?", 'Please cancel it.'],
    another_time: ['Thursday at 9 am.', "Yes, that's right.", 'No other time suits me.'],
    questions: ["No, that's all. Thank you.", 'Is there parking?', 'Another time would be better after all.'],
  },
  testValues: {
    agent_name: 'Ava',
    company_name: 'Bright Smile Dental',
    full_name: 'Maria Keller',
    appointment_id: 'A-1042',
    appointment_day: 'Tuesday, the 24th of November',
    appointment_time: 'ten in the morning',
    with_whom: 'Doctor Chen',
    address: '12 Oak Street',
    opening_hours: 'Monday to Friday, eight to six',
    what_to_bring: 'your insurance card',
  },
  settings: settingsFor({ minutes: 5, callType: 'outbound' }),
};
