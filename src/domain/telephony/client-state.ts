/**
 * Our own reference to a leg, as the carrier brings it back in every event of it: which leg of which call,
 * and the stream that the last command was about. Nothing about a person.
 */
export interface ClientState {
  /** Of `phone_legs`. */
  reference: string;
  /** Of the host whose stream it is; null where no stream was meant. */
  generation: number | null;
}

const form = /^([0-9a-f-]{36}\.[mt][1-9]\d{0,3})(?:#([1-9]\d{0,5}))?$/;

/**
 * The reference of a call's leg: `<call uuid>.m1` for the caller's first one, `.t2` for the second that a
 * transfer dials.
 */
export function legReference(
  callUuid: string,
  { role, attempt }: { role: 'main' | 'transfer'; attempt: number },
): string {
  return `${callUuid}.${role === 'main' ? 'm' : 't'}${attempt}`;
}

export function writeClientState({ reference, generation }: ClientState): string {
  return generation === null ? reference : `${reference}#${generation}`;
}

/** Null for what is not ours. */
export function readClientState(text: string): ClientState | null {
  const [, reference, generation] = form.exec(text) ?? [];
  if (reference === undefined) return null;
  return { reference, generation: generation === undefined ? null : Number(generation) };
}
