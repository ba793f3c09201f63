import type { Reading, Rule } from './rules.ts';

/**
 * Answers of the simulated model in copies of the shipped agent templates (src/domain/agent-templates), so
 * that a person can talk from the greeting to an end. A template is recognized by the manner in front of all
 * its prompts. The first way whose words were said is taken; else the node says its question again. A way's
 * words must not also lead on from the next node, because that node answers the same words.
 */
const manner = 'You are on a phone call. Answer in one or two short sentences of plain spoken words';

const weekday = '(?:mon|tues|wednes|thurs|fri)day';
const agreed = "\\b(that's right|that is right|correct|exactly|perfect)\\b";

/** The function of an edge, and the words that lead over it. Of several that match, the first is taken. */
const ways: readonly (readonly [tool: string, userPattern: string])[] = [
  [
    'do_not_call_again',
    "\\b(never call|(don't|do not|stop) call(ing)? (me )?(again|any ?more)|take me off|off (the|your) list)\\b",
  ],
  ['voicemail', '\\b(leave a message|after the (tone|beep))\\b'],
  ['wrong_person', '\\bwrong (number|person)\\b|\\bnot me\\b'],
  ['no_time_now', '\\b(no time|not now|busy|driving|bad (time|moment)|later)\\b'],
  ['emergency', '\\b(hurt|emergency|fire|danger)\\b'],
  ['not_for_us', '\\bwrong (number|company)\\b|\\bby mistake\\b'],
  ['wants_a_person', '\\b(human|a (real )?person|somebody real)\\b'],
  ['has_a_problem', "\\b(does(n't| not)|problem|error|broken|can't|can ?not|won't|question)\\b"],
  ['not_interested', '\\bnot interested\\b'],
  ['declines', "\\b(no,? thank|rather not|(don't|do not) want)\\b"],
  ['right_person', "\\b(yes|speaking|this is|that's me|it's me|i am)\\b"],
  ['says_they_are', "\\b(yes|speaking|this is|that's me|it's me|i am)\\b"],
  ['has_time', '\\b(yes|sure|go ahead|okay|ok|fine)\\b'],
  ['takes_part', '\\b(yes|sure|go ahead|okay|ok|all right|ask)\\b'],
  ['cancel', '\\bcancel\\b'],
  ['another_time', "\\b(another (day|time)|(can't|can ?not) (come|make it)|reschedule)\\b"],
  ['will_come', "\\b(be there|i('ll| will) come|i can (come|make it)|see you)\\b"],
  ['no_other_time', '\\b(no other time|cancel)\\b'],
  ['new_time_noted', agreed],
  ['another_time_after_all', '\\banother (day|time)\\b'],
  ['nothing_more', "\\b(that's (everything|all)|nothing (more|else)|no,? thank|no questions|goodbye|bye)\\b"],
  ['no_need', "\\b(don't|do not) need\\b|\\bno need\\b"],
  ['need_understood', '\\b((we|i) (want|need)|looking for|pay less|save)\\b'],
  ['does_not_fit', '\\bno (budget|money|interest)\\b'],
  ['fits', '\\b(budget|euros|dollars|by (spring|summer|autumn|fall|winter)|(i|we) decide)\\b'],
  ['no_meeting', "\\b(no|(don't|do not) want a) meeting\\b"],
  ['meeting_agreed', `${agreed}|\\S@\\S`],
  ['identity_not_clear', "\\b(don't|do not|won't) (want|say|tell)\\b"],
  ['identity_clear', '\\b(nineteen|\\d{4,})\\b'],
  ['cannot_pay', "\\b(can't|can ?not) pay\\b|\\binstal?lments?\\b"],
  ['objects', '\\b(already paid|wrong|not mine|never ordered)\\b'],
  ['will_pay', "\\b(i('ll| will| can) pay|forgot)\\b"],
  ['promise_noted', agreed],
  ['cannot_pay_after_all', "\\b(can't|can ?not) (find|pay)\\b|\\b(human|a person)\\b"],
  ['objection_noted', '\\b(paid it|nothing to add)\\b'],
  ['stops', '\\b(stop|no more)\\b'],
  ['score_given', '\\b(10|\\d|zero|one|two|three|four|five|six|seven|eight|nine|ten)\\b'],
  ['reason_given', '\\bbecause\\b|\\bno reason\\b'],
  ['survey_done', "\\b(you may call|no call|better|nothing|that's all)\\b"],
  ['problem_understood', agreed],
  ['urgency_clear', "\\b((can|can't|can ?not) work|of us|only me|just me)\\b"],
  ['contact_noted', agreed],
  ['refuses', "\\b(did(n't| not) order|(don't|do not) want|send it back)\\b"],
  ['another_day', '\\b(nobody|no one|another day|not (at )?home)\\b'],
  ['somebody_is_there', "\\b(will be (there|here|home)|i('ll| will) be)\\b"],
  ['day_chosen', agreed],
  ['all_settled', "\\b(address is (right|correct)|that's all|ring|nothing more)\\b"],
];

/** What a node says, by a phrase of its prompt: back what was said, then its question. */
const questions: readonly (readonly [phrase: string, question: string, back?: readonly [string, string]])[] =
  [
    ['whether you speak with the right person', 'Am I speaking with the right person?'],
    [
      'name the day, the time and the place of the appointment',
      'It is about your appointment at the agreed time and place. Will you come, or would another time suit you better?',
    ],
    [
      'ask which day and which time of day would suit better',
      'Which day and time would suit you better?',
      [
        `(?<words>${weekday},? at \\d{1,2}(?::\\d{2})? ?(?:[ap]\\.?m\\b)?)`,
        'I have noted {{words}}. Is that right?',
      ],
    ],
    [
      'tell what to bring',
      'Good. Do you have any questions about your appointment?',
      ['\\?', 'The office will call you back about that. Is there anything else?'],
    ],
    [
      'find out whether you speak with the person who asked',
      'You asked us for information. Do you have two minutes?',
    ],
    ['ask what the person wants to achieve', 'What would you like to achieve, and how do you do it today?'],
    [
      'ask, one after the other, by when they want a solution',
      'By when do you want a solution, roughly with which budget, and who decides?',
    ],
    [
      'offer a talk with',
      'I would like to arrange a talk with a colleague. Which day and time suit you?',
      [
        `(?<words>${weekday} at \\d{1,2})`,
        'I have noted {{words}}. Is that right, and at which email address may we write to you?',
      ],
    ],
    [
      'say nothing about an invoice, money or a reason',
      'Am I speaking with the person whose number this is?',
    ],
    [
      'to protect the person, ask for',
      'To protect you, please tell me first the year in which you were born.',
    ],
    [
      'name the amount and the day it was due',
      'An invoice of yours is still open. Do you know about it, and when can you pay it?',
    ],
    [
      'ask on which day the person will pay',
      'On which day will you pay, and which amount?',
      [`(?<words>${weekday})`, 'I have noted {{words}}. Is that right?'],
    ],
    ['ask what is wrong with the invoice', 'What is wrong with the invoice, or when and how did you pay it?'],
    [
      'whether the person has a minute and wants to take part',
      'Do you have a minute, and would you like to take part?',
    ],
    ['ask on a scale from zero to ten', 'From zero to ten: how likely are you to recommend us to a friend?'],
    [
      'ask for the most important reason for that number',
      'What is the most important reason for that number?',
    ],
    [
      'ask for one thing that should be better next time',
      'Thank you. What should be better next time, and may someone of the team call you about it?',
    ],
    ['understand in one or two sentences what the call is about', 'What can we do for you?'],
    [
      'ask, one after the other, what exactly happens',
      'Since when does it happen, and what have you tried already?',
      ['(?<words>since [\\w ]+)', 'I have noted that it happens {{words}}. Is that right?'],
    ],
    [
      'ask whether the person can continue to work',
      'Can you continue to work, and how many people does it affect?',
    ],
    [
      'ask for the name, then for the number or email address',
      'What is your name, and at which email address does the team reach you?',
      ['(?<words>\\S+@\\S*\\w)', 'I have noted {{words}}. Is that right?'],
    ],
    [
      'whether you speak with the person who gets the delivery',
      'Am I speaking with the person who is waiting for the delivery?',
    ],
    [
      'name the goods, the day and the time window',
      'We would like to deliver as announced. Will somebody be there?',
    ],
    [
      'offer the other days that are possible',
      'We can also come on Friday or on Monday. Which day suits you?',
      [`(?<words>${weekday}(?: (?:morning|afternoon))?)`, 'I have noted {{words}}. Is that right?'],
    ],
    [
      'read out the address and ask whether it is right',
      'We bring it to the address of the order. Is that address right, and is there something that the driver should know?',
    ],
    [
      'does not want to be called again. Say',
      'I have noted that nobody calls you again. I am sorry for the disturbance. Goodbye.',
    ],
    ['You reached someone else', 'I am sorry for the disturbance. Goodbye.'],
    ['goodbye', 'Thank you for your time. I have noted everything. Goodbye.'],
  ];

/** Values of the templates in the caller's words; the demonstration's rules read the ones of the same name. */
export const templateReadings: Readonly<Record<string, Reading[]>> = {
  question_for_office: [{ pattern: '\\b(is there [^.!?\\n]+\\?)' }],
  callback_time: [{ pattern: '\\b(tomorrow|tonight|later)\\b' }],
  do_not_call: [{ pattern: ways[0]?.[1] ?? '', value: true }],
  need: [{ pattern: '\\b(pay less for \\w+|save [\\w ]+)' }],
  current_solution: [{ pattern: '\\btoday (we [^.!?\\n]+)' }],
  timeline: [{ pattern: '\\b(by (?:spring|summer|autumn|fall|winter))\\b' }],
  budget: [{ pattern: '\\b(\\d+) (?:euros|dollars)\\b' }],
  is_decision_maker: [{ pattern: '\\b(?:i|we) decide\\b', value: true }],
  meeting_time: [{ pattern: `\\b(${weekday} at \\d{1,2})` }],
  email: [{ pattern: '(\\S+@\\S*\\w)' }],
  why_not: [{ pattern: '\\b(no budget|no need|not interested|no meeting)\\b' }],
  knows_invoice: [{ pattern: '\\b(?:forgot|already paid)\\b', value: true }],
  reason_not_paid: [{ pattern: '\\b(i forgot it)\\b' }],
  payment_date: [{ pattern: `\\b(${weekday})\\b` }],
  payment_amount: [{ pattern: '\\b(\\d+(?:\\.\\d+)?) (?:euros|dollars)\\b' }],
  objection: [{ pattern: '\\b(i paid it [^.!?\\n]+)' }],
  score: [{ pattern: '\\b(10|\\d)\\b' }],
  score_reason: [{ pattern: '\\bbecause ([^.!?\\n]+)' }],
  improvement: [{ pattern: '\\b(better \\w+)' }],
  may_contact: [
    { pattern: '\\byou may call\\b', value: true },
    { pattern: '\\bno call\\b', value: false },
  ],
  problem: [{ pattern: "([^.!?\\n]*\\b(?:does(?:n't| not)|broken|error)\\b[^.!?\\n]*)" }],
  since_when: [{ pattern: '\\bsince ([\\w ]+)' }],
  tried_already: [{ pattern: '\\b(i (?:restarted|tried) [^.!?\\n]+)' }],
  can_work: [
    { pattern: '\\bcan work\\b', value: true },
    { pattern: "\\b(?:can't|can ?not) work\\b", value: false },
  ],
  people_affected: [{ pattern: '\\b(\\d+) of us\\b' }, { pattern: '\\b(?:only|just) me\\b', value: 1 }],
  caller_name: [{ pattern: '(\\w+ \\w+), \\S+@' }],
  contact: [{ pattern: '(\\S+@\\S*\\w)' }],
  somebody_there: [
    { pattern: '\\bwill be (?:there|here|home)\\b', value: true },
    { pattern: '\\b(?:nobody|no one)\\b', value: false },
  ],
  new_delivery_day: [{ pattern: `\\b(${weekday}(?: morning| afternoon)?)\\b` }],
  address_right: [{ pattern: '\\baddress is (?:right|correct)\\b', value: true }],
  note_for_driver: [{ pattern: '\\bplease (ring [^.!?\\n]+)' }],
  refusal_reason: [{ pattern: "\\b(did(?:n't| not) order [^.!?\\n]+)" }],
};

export const templateRules: readonly Rule[] = [
  ...ways.map(([tool, userPattern]): Rule => ({
    name: `template: ${tool}`,
    when: { systemText: manner, wantsJson: false, userPattern },
    answer: { call: { tool } },
  })),
  ...questions.flatMap(([phrase, question, back]): Rule[] => {
    const when = { systemText: [manner, phrase], wantsJson: false };
    return [
      ...(back === undefined
        ? []
        : [
            {
              name: `template: back, ${phrase}`,
              when: { ...when, userPattern: back[0] },
              answer: { say: back[1] },
            },
          ]),
      { name: `template: ${phrase}`, when, answer: { say: question } },
    ];
  }),
  // An end node tells its disposition in the description of the variable.
  {
    name: 'template: values at an end',
    when: { wantsJson: true, userPattern: 'Write exactly: (?<disposition>\\w+)' },
    answer: { read: { ...templateReadings, call_disposition: [{ pattern: '$', value: '{{disposition}}' }] } },
  },
];
