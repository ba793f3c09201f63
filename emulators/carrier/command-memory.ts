/**
 * Remembers recent commands: a second one with the same `command_id` gets the same answer and does nothing,
 * as long as the first is remembered.
 */
export class CommandMemory {
  #answers = new Map<string, { body: unknown; until: number }>();
  #lifetimeMs: number;

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** The answer to the first command; undefined if there was none or it is forgotten. */
  find(subject: string, commandId: string): { body: unknown } | undefined {
    const found = this.#answers.get(`${subject} ${commandId}`);
    return found === undefined || found.until < Date.now() ? undefined : found;
  }

  keep(subject: string, commandId: string, body: unknown): void {
    const now = Date.now();
    for (const [key, { until }] of this.#answers) {
      if (until >= now) break;
      this.#answers.delete(key);
    }
    this.#answers.set(`${subject} ${commandId}`, { body, until: now + this.#lifetimeMs });
  }
}
