/** Something that is said as the agent's maker wrote or recorded it, without the model. */
export type WrittenLine = { kind: 'text'; text: string } | { kind: 'audio'; recordingId: string };
