import { openingId, type End, type Way } from './design.ts';

/** Ends that most outgoing calls have. A wrong person hears nothing about the reason of the call. */
export const wrongPerson: End = {
  id: 'wrong_person',
  name: 'Wrong person',
  disposition: 'wrong_person',
  prompt:
    'You reached someone else. Say that you are sorry for the disturbance, do not say what the call was about, and say goodbye. Ask nothing.',
};

/**
 * For the retry plan of a campaign (docs/campaigns.md, `callback`). A time that the person named is in their
 * own time zone, which is unknown here; a span is counted from the prompt's time. Text without a time leads
 * to a call on the next day, as the agent has promised.
 */
const callbackAtPrompt = [
  'When to call the person again, as ISO 8601 date and time. It is {{current_time}} now.',
  'A day and hour that the person named are by their own clock: write them without an offset, as 2026-11-24T15:30. For a span, such as in two hours, count from now and write the offset of that clock, as 2026-11-24T15:30+00:00.',
  'A day without an hour: at 10:00. Neither day nor hour was named: write exactly: another day',
].join(' ');

export const callBackLater: End = {
  id: 'call_back_later',
  name: 'Call back later',
  disposition: 'callback_requested',
  prompt:
    'The person has no time now. If a time was named, repeat it. Otherwise say that you will try again another day. Thank the person and say goodbye. Ask nothing more.',
  variables: [
    {
      name: 'callback_time',
      type: 'string',
      prompt: 'When the person wants to be called again, in their own words',
    },
    { name: 'callback_at', type: 'string', prompt: callbackAtPrompt },
  ],
};

export const toWrongPerson: Way = {
  from: openingId,
  to: wrongPerson.id,
  label: 'Wrong person',
  condition:
    'The person says that they are someone else, do not know who is meant, or that the number is wrong.',
};

export const toCallBackLater: Way = {
  from: openingId,
  to: callBackLater.id,
  label: 'No time now',
  condition:
    'The person is busy, driving or has no time now. If they did not say when it would suit, ask that once first.',
};
