/**
 * Our own reference to a leg, which the carrier returns in every event of it: the call, the leg, and the
 * stream of the last command. It contains no personal data.
 */
export interface ClientState {
  /** The reference in `phone_legs`. */
  reference: string;
  /** The generation of the stream's host; null for a leg without a stream. */
  generation: number | null;
}

const form = /^([0-9a-f-]{36}\.[mt][1-9]\d{0,3})(?:#([1-9]\d{0,5}))?$/;

/**
 * The reference of a call's leg: `<call uuid>.m1` for the first attempt of its own leg, `.t2` for the second
 * leg that a transfer dials.
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

/** Reads a client state; null if this service did not write it. */
export function readClientState(text: string): ClientState | null {
  const [, reference, generation] = form.exec(text) ?? [];
  if (reference === undefined) return null;
  return { reference, generation: generation === undefined ? null : Number(generation) };
}
