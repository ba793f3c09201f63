import { openingId } from './design.ts';
import { callBackLater, toCallBackLater, toWrongPerson, wrongPerson } from './shared-ends.ts';
import { settingsFor, type AgentTemplate } from './template.ts';

/** Only in the prompts of steps after the identity check, so that the model cannot reveal it earlier. */
const invoice =
  'The invoice: number {{invoice_number | that is not known to you}}, {{amount_due | an amount that is not known to you}}, due on {{due_date | a day that has passed}}. It can be paid {{how_to_pay | as the invoice says}}.';

export const debtReminder: AgentTemplate = {
  id: 3,
  name: 'Debt reminder',
  description:
    'Checks the identity of the person, then reminds them of an open invoice: promise to pay, dispute, or help from a person. Never threatens.',
  addedAt: new Date('2026-11-21T00:00:00Z'),
  design: {
    callType: 'outbound',
    greeting:
      'Hello, this is {{agent_name | Mia}}, an AI assistant calling for {{company_name | our company}}. It is a personal matter. Am I speaking with {{full_name | the person whose number this is}}?',
    role: [
      'You are {{agent_name | Mia}}, the AI assistant of {{company_name | our company}}. You are calling {{full_name | a customer}} on a personal matter: an open invoice.',
      'A person of the team is reached at {{help_phone | the number on our letters}}. Today is {{current_weekday}}, {{current_time}}.',
      'Stay friendly and matter-of-fact. Never threaten, never speak of courts, credit scores, employers or neighbors, never name consequences, never press for more than the person offers. You cannot grant a discount or installments. Only the person themselves may hear that there is an invoice.',
    ].join('\n'),
    opening: {
      name: 'Opening',
      prompt:
        'Task in this step: find out whether {{full_name | the person whose number this is}} is on the line. Until that is clear, say nothing about an invoice, money or a reason. If someone asks what it is about, say that you may tell only the person themselves.',
    },
    steps: [
      {
        id: 'identity',
        name: 'Check the person',
        prompt:
          'Task in this step: to protect the person, ask for {{verification_question | their postal code}}. The right answer is: {{verification_answer | not known to you, so accept any clear answer}}. Never say the right answer yourself. Two wrong answers are enough. Say nothing of the invoice in this step.',
      },
      {
        id: 'reminder',
        name: 'Remind of the invoice',
        prompt: `${invoice}\nTask in this step: name the amount and the day it was due, in one sentence. Ask whether that is known and when the person can pay. Listen to reasons without judging them.`,
        variables: [
          {
            name: 'knows_invoice',
            type: 'boolean',
            prompt: 'true if the person knows of the invoice, false if they say that they do not',
          },
          {
            name: 'reason_not_paid',
            type: 'string',
            prompt: 'Why it was not paid so far, in their own words',
          },
        ],
      },
      {
        id: 'promise',
        name: 'Agree on a payment',
        prompt: `${invoice}\nTask in this step: ask on which day the person will pay and which amount, if they did not say so yet. Repeat the day and the amount and wait for a yes. Then tell how it can be paid.`,
        variables: [
          {
            name: 'payment_date',
            type: 'string',
            prompt: 'The day on which the person will pay, in their own words',
          },
          {
            name: 'payment_amount',
            type: 'number',
            prompt: 'The amount that the person will pay, as a number without currency',
          },
        ],
      },
      {
        id: 'dispute',
        name: 'Note an objection',
        prompt: `${invoice}\nTask in this step: ask what is wrong with the invoice, or when and how it was paid. Repeat in one sentence what you understood. Say that a colleague will look into it and get in touch, and that the person need not do anything until then.`,
        variables: [
          {
            name: 'objection',
            type: 'string',
            prompt: 'What the person says against the invoice, in one sentence',
          },
        ],
      },
    ],
    ends: [
      {
        id: 'promised',
        name: 'Payment promised',
        disposition: 'promise_to_pay',
        prompt: 'A payment is agreed. Thank the person, repeat the day, and say goodbye.',
      },
      {
        id: 'disputed',
        name: 'Invoice disputed',
        disposition: 'disputed',
        prompt:
          'There is an objection. Say that a colleague will look into it, thank the person and say goodbye.',
      },
      {
        id: 'needs_help',
        name: 'Needs a person',
        disposition: 'needs_help',
        prompt:
          'The person cannot pay or wants to talk to a human. Say with respect that a colleague will call to find a way, name the number for help, and say goodbye.',
      },
      {
        id: 'not_verified',
        name: 'Not verified',
        disposition: 'not_verified',
        prompt:
          'You could not verify the person. Say that you therefore cannot say more, name the number for questions, and say goodbye. Do not say what it was about.',
      },
      wrongPerson,
      callBackLater,
    ],
    ways: [
      {
        from: openingId,
        to: 'identity',
        label: 'Says they are',
        condition: 'The person says that they are the one who was asked for.',
      },
      toWrongPerson,
      toCallBackLater,
      {
        from: 'identity',
        to: 'reminder',
        label: 'Identity clear',
        condition: 'The person gave the right answer, or a clear one where the right one is not known.',
      },
      {
        from: 'identity',
        to: 'not_verified',
        label: 'Identity not clear',
        condition: 'Two answers were wrong, or the person does not want to answer.',
      },
      { from: 'reminder', to: 'promise', label: 'Will pay', condition: 'The person is willing to pay.' },
      {
        from: 'reminder',
        to: 'dispute',
        label: 'Objects',
        condition: 'The person says that the invoice is wrong, unknown or already paid.',
      },
      {
        from: 'reminder',
        to: 'needs_help',
        label: 'Cannot pay',
        condition: 'The person cannot pay now, wants installments, or wants to talk to a human.',
      },
      {
        from: 'promise',
        to: 'promised',
        label: 'Promise noted',
        condition: 'The person said yes to the day and amount that you repeated.',
      },
      {
        from: 'promise',
        to: 'needs_help',
        label: 'Cannot pay after all',
        condition: 'No day can be found, or the person wants to talk to a human.',
      },
      {
        from: 'dispute',
        to: 'disputed',
        label: 'Objection noted',
        condition: 'You repeated the objection and the person agreed, or has nothing to add.',
      },
    ],
    passOn: ['customer_id', 'invoice_number'],
  },
  tagline: 'An open invoice: when can you pay?',
  sampleReplies: {
    [openingId]: ['Yes, I am Jordan Lee.', "I'm busy right now.", 'You have the wrong number.'],
    identity: ['Nineteen eighty-four.', "I don't want to say that."],
    reminder: ['I forgot it. I will pay.', 'I already paid that.', "I can't pay right now."],
    promise: ['On Friday, 84.50 euros.', "Yes, that's right.", "I can't find a day."],
    dispute: ['I paid it by bank transfer last week.', 'I have nothing to add.'],
  },
  testValues: {
    agent_name: 'Mia',
    company_name: 'City Power',
    full_name: 'Jordan Lee',
    customer_id: 'C-5512',
    invoice_number: '2026-0815',
    amount_due: 'eighty-four euros and fifty cents',
    due_date: 'the first of November',
    how_to_pay: 'by bank transfer with the invoice number',
    help_phone: 'zero eight hundred, five five five, twelve twelve',
    verification_question: 'the year of their birth',
    verification_answer: '1984',
  },
  settings: settingsFor({ minutes: 6, callType: 'outbound' }),
};
