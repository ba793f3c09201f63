import type { Rule } from './rules.ts';
import { templateReadings } from './template-rules.ts';

/**
 * Answers of the simulated model in the demonstration (tools/demo/agent.ts). Rules recognize the node by its
 * prompt and choose by the caller's last words; the last rule of a node is its first question. Values are
 * read from the caller's words, so other words give other values, and null where nothing was said.
 */
export const demoRules: readonly Rule[] = [
  ...atNode('find out whether the caller has a moment', [
    {
      name: 'demo: no time',
      userPattern: '\\b(no time|not now|busy|wrong (number|person)|bad (time|moment))\\b',
      answer: { call: { tool: 'no_time_now' } },
    },
    {
      name: 'demo: good moment',
      userPattern: '\\b(yes|yeah|sure|okay|ok|fine|go ahead)\\b',
      answer: { call: { tool: 'good_moment' } },
    },
    {
      name: 'demo: who is calling',
      answer: {
        say: 'This is Ava, the AI assistant of Bright Smile Dental. Do you have a minute to talk about your appointment?',
      },
    },
  ]),
  ...atNode('ask whether the caller will come', [
    {
      name: 'demo: cannot come',
      userPattern: "\\b(can't|can ?not|won't|unable|not able|another (day|time)|reschedule)\\b",
      answer: { call: { tool: 'needs_another_time' } },
    },
    {
      name: 'demo: will come',
      userPattern: "\\b(be there|i'll come|i will come|that works|i confirm|see you)\\b",
      answer: { call: { tool: 'appointment_confirmed' } },
    },
    {
      name: 'demo: ask to confirm',
      answer: { say: 'Thank you. Can you come to the appointment as planned?' },
    },
  ]),
  ...atNode('ask which day and time would suit', [
    {
      name: 'demo: agreed',
      userPattern: "\\b(that's right|that is right|correct|exactly|perfect)\\b",
      answer: { call: { tool: 'new_time_noted' } },
    },
    {
      name: 'demo: say back',
      userPattern:
        '(?<time>(?:mon|tues|wednes|thurs|fri)day,? at \\d{1,2}(?::\\d{2})? ?(?:[ap]\\.?m\\b\\.?)?)',
      answer: { say: 'I have noted {{time}}. Is that right?' },
    },
    {
      name: 'demo: ask for a time',
      answer: {
        say: 'Which day and time would suit you better? We are open Monday to Friday, from 8 AM to 6 PM.',
      },
    },
  ]),
  ...atNode('ask whether the caller comes alone', [
    {
      name: 'demo: another time after all',
      userPattern: '\\b(another|different) (day|time)\\b',
      answer: { call: { tool: 'another_time_after_all' } },
    },
    {
      name: 'demo: parking',
      userPattern: '\\bpark(ing)?\\b',
      answer: {
        say: 'Parking behind the building is free. I have noted how many of you come. Is there anything else?',
      },
    },
    {
      name: 'demo: nothing more',
      userPattern: "\\b(that's (everything|all)|nothing (more|else)|no,? thank|goodbye|bye)\\b",
      answer: { call: { tool: 'nothing_more' } },
    },
    {
      name: 'demo: ask about companions',
      answer: {
        say: 'Good. Do you come alone, or with somebody who is to be seen too? And do you have any questions?',
      },
    },
  ]),
  ...atNode('say goodbye', [
    {
      name: 'demo: goodbye',
      answer: {
        say: 'Thank you for your time. The clinic has your answers and will send you a text message. Goodbye!',
      },
    },
  ]),
  judged('demo: judge the step that needed two attempts', '^Step: Find another time', {
    call_quality_score: 8,
    overall_sentiment: 'neutral',
    summary: 'Simulated judgment: the wish was said back once before it was noted.',
    tags: [],
  }),
  judged('demo: judge a step', '^Step: ', {
    call_quality_score: 9,
    overall_sentiment: 'positive',
    summary: 'Simulated judgment: the assistant did what it was told to do.',
    tags: [],
  }),
  {
    name: 'demo: read values',
    when: { wantsJson: true },
    answer: {
      read: {
        ...templateReadings,
        confirmed: [
          { pattern: "\\b(?:i'll|i will) (?:be there|come)\\b|\\bi confirm\\b", value: true },
          { pattern: "\\b(?:can't|can ?not|won't) (?:make it|come|be there)\\b", value: false },
        ],
        reason: [{ pattern: "(?:can't|can ?not|won't) (?:make it|come)[^,.!?]*, (?:because )?([^.!?\\n]+)" }],
        preferred_time: [
          { pattern: '\\b((?:mon|tues|wednes|thurs|fri)day,? at \\d{1,2}(?::\\d{2})? ?(?:[ap]m)?)\\b' },
        ],
        party_size: [
          { pattern: '\\b(?:alone|by myself|just me)\\b', value: 1 },
          { pattern: '\\b(?:two of us|both of us)\\b', value: 2 },
          { pattern: '\\bthree of us\\b', value: 3 },
          { pattern: '\\b(\\d+) of us\\b' },
        ],
        call_back_wanted: [
          { pattern: '\\bcall me back\\b', value: true },
          { pattern: "\\b(?:don't|do not) (?:need|have) to call back\\b", value: false },
        ],
      },
    },
  },
];

/** The answer to a QA node's question about a step. */
function judged(name: string, userPattern: string, judgment: Record<string, unknown>): Rule {
  return {
    name,
    when: { systemText: 'You judge how well a voice assistant handled', userPattern, wantsJson: true },
    answer: { say: JSON.stringify(judgment) },
  };
}

/** Rules of one node, recognized by a phrase of its prompt; for spoken answers, not for JSON. */
function atNode(
  phrase: string,
  rules: { name: string; userPattern?: string; answer: Rule['answer'] }[],
): Rule[] {
  return rules.map(({ name, userPattern, answer }) => ({
    name,
    when: { systemText: phrase, wantsJson: false, ...(userPattern === undefined ? {} : { userPattern }) },
    answer,
  }));
}
