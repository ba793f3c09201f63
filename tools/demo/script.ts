/** The caller's lines of the demonstration, one per turn, after the agent's greeting. */
export const callersLines = [
  'Yes, now is fine.',
  "I'm afraid I can't make it on Tuesday, I have to travel for work.",
  'Could we do Thursday at 3 PM instead?',
  "Yes, that's right.",
  'My daughter will be seen too, so there are two of us. Do I have to pay for parking?',
  "No, that's everything, thank you. You don't need to call back.",
] as const;

/** The nodes that the conversation visits with these lines, by name and in order. */
export const expectedPath = [
  'Welcome',
  'Confirm the appointment',
  'Find another time',
  'Companions and questions',
  'Goodbye',
] as const;

/** The variables that these lines give. */
export const expectedVariables = {
  confirmed: false,
  reason: 'I have to travel for work',
  preferred_time: 'Thursday at 3 PM',
  party_size: 2,
  call_back_wanted: false,
} as const;
