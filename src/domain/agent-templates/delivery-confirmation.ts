import { openingId } from './design.ts';
import { callBackLater, toCallBackLater, toWrongPerson, wrongPerson } from './shared-ends.ts';
import { settingsFor, type AgentTemplate } from './template.ts';

export const deliveryConfirmation: AgentTemplate = {
  id: 6,
  name: 'Delivery confirmation',
  description:
    'Announces a delivery, asks whether someone will be there, whether the address is right and whether there is a note for the driver, and can agree on another day.',
  addedAt: new Date('2026-11-21T00:00:00Z'),
  design: {
    callType: 'outbound',
    greeting:
      'Hello, this is {{agent_name | Finn}}, the AI assistant of {{company_name | the delivery service}}. I am calling about a delivery. Am I speaking with {{full_name | the person who is waiting for one}}?',
    role: [
      'You are {{agent_name | Finn}}, the AI assistant of {{company_name | the delivery service}}. You announce a delivery to {{full_name | a customer}}.',
      'The delivery: {{goods | a parcel}}, on {{delivery_day | the next delivery day}}, between {{time_window | eight and eighteen hours}}, to {{address | the address of the order}}. Other days that are possible: {{other_days | any working day}}.',
      'Today is {{current_weekday}}, {{current_time}}. You cannot change the goods or their price; for that the person calls {{help_phone | the number in the order confirmation}}. Never ask for money.',
    ].join('\n'),
    opening: {
      name: 'Opening',
      prompt:
        'Task in this step: find out whether you speak with the person who gets the delivery, or someone from the same household. Do not name the goods or the address before that is clear.',
    },
    steps: [
      {
        id: 'announce',
        name: 'Day and time',
        prompt:
          'Task in this step: name the goods, the day and the time window in one sentence, and ask whether someone will be there.',
        variables: [
          {
            name: 'somebody_there',
            type: 'boolean',
            prompt: 'true if someone will be there at the announced time, false if not',
          },
        ],
      },
      {
        id: 'other_day',
        name: 'Another day',
        prompt:
          'Task in this step: offer the other days that are possible, two at a time, and ask which one suits. Repeat the day and the time of day and wait for a yes.',
        variables: [
          {
            name: 'new_delivery_day',
            type: 'string',
            prompt: 'The day and time of day that the person chose instead, in their own words',
          },
        ],
      },
      {
        id: 'place',
        name: 'Address and driver',
        prompt:
          'Task in this step: read out the address and ask whether it is right. Then ask whether there is something that the driver should know, such as the floor, a code for the door or a neighbor.',
        variables: [
          {
            name: 'address_right',
            type: 'boolean',
            prompt: 'true if the person said that the address is right, false if it is wrong',
          },
          {
            name: 'right_address',
            type: 'string',
            prompt: 'The right address, if the one that was read out is wrong',
          },
          { name: 'note_for_driver', type: 'string', prompt: 'What the driver should know, in one sentence' },
        ],
      },
    ],
    ends: [
      {
        id: 'confirmed',
        name: 'Delivery confirmed',
        disposition: 'delivery_confirmed',
        prompt: 'The delivery is confirmed. Repeat the agreed day, thank the person and say goodbye.',
      },
      {
        id: 'refused',
        name: 'Delivery refused',
        disposition: 'delivery_refused',
        prompt:
          'The person does not want the delivery. Say that you have noted it and that the company will get in touch about the order. Say goodbye.',
        variables: [
          { name: 'refusal_reason', type: 'string', prompt: 'Why the person does not want the delivery' },
        ],
      },
      wrongPerson,
      callBackLater,
    ],
    ways: [
      {
        from: openingId,
        to: 'announce',
        label: 'Right person',
        condition: 'The person, or someone from the same household, is on the line.',
      },
      toWrongPerson,
      toCallBackLater,
      {
        from: 'announce',
        to: 'place',
        label: 'Somebody is there',
        condition: 'Someone will be there at the announced time.',
      },
      {
        from: 'announce',
        to: 'other_day',
        label: 'Another day',
        condition: 'No one will be there, or the person wants another day.',
        speech: 'Then let us find another day.',
      },
      {
        from: 'announce',
        to: 'refused',
        label: 'Refuses',
        condition: 'The person did not order it or no longer wants it.',
      },
      {
        from: 'other_day',
        to: 'place',
        label: 'Day chosen',
        condition: 'The person said yes to the day that you repeated.',
      },
      {
        from: 'other_day',
        to: 'refused',
        label: 'Refuses',
        condition: 'The person does not want the delivery on any day.',
      },
      {
        from: 'place',
        to: 'confirmed',
        label: 'All settled',
        condition: 'The address is clear and there is nothing more for the driver.',
      },
    ],
    passOn: ['order_id', 'full_name'],
  },
  tagline: 'Will somebody be there for your delivery?',
  sampleReplies: {
    [openingId]: ['Speaking.', 'I have no time right now.', 'You have the wrong number.'],
    announce: ['Somebody will be there.', 'Nobody is home then.', "I didn't order that."],
    other_day: ['Friday morning.', "Yes, that's right.", "I don't want it on any day."],
    place: ['The address is right. Please ring twice.', "That's all."],
  },
  testValues: {
    agent_name: 'Finn',
    company_name: 'Swift Parcels',
    full_name: 'Alex Moreno',
    order_id: 'O-9981',
    goods: 'a washing machine',
    delivery_day: 'Thursday',
    time_window: 'nine and twelve in the morning',
    address: '7 Mill Lane, second floor',
    other_days: 'Friday, Monday or Tuesday',
    help_phone: 'zero eight hundred, five five five, thirty thirty',
  },
  settings: settingsFor({ minutes: 5, callType: 'outbound' }),
};
