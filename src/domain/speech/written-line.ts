/** A line as the agent's author wrote or recorded it, without the model. */
export type WrittenLine = { kind: 'text'; text: string } | { kind: 'audio'; recordingId: string };
