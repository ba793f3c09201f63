import { z } from 'zod';

/** The API key of the measured processes; the simulated model selects rules and log by it. */
export const llmKey = 'simulated';

const Log = z.object({
  entries: z.array(
    z.object({
      request: z
        .object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) })
        .nullable(),
      receivedAt: z.string(),
      finishedAt: z.string().nullable(),
    }),
  ),
});

/** The simulated model, as the benchmark configures and reads it. */
export interface SimulatedModel {
  /** Makes it answer every request with the same text after that delay, and clears its log. */
  answerAfter(firstTokenDelayMs: number, say?: string): Promise<void>;
  /**
   * Milliseconds that it has spent on answering each line of a user, from a request's arrival to its last
   * byte.
   */
  spentMs(): Promise<Map<string, number>>;
}

export function simulatedModel(llmUrl: string): SimulatedModel {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${llmUrl}/emulator/${path}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The simulated model answered ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  };
  return {
    async answerAfter(
      firstTokenDelayMs,
      say = 'Of course. I can look into that for you right now. Is there anything else that I should know about your appointment?',
    ) {
      await ask('DELETE', `rules?scope=${llmKey}`);
      await ask('DELETE', `log?scope=${llmKey}`);
      await ask('POST', 'rules', {
        scope: llmKey,
        rules: [{ name: 'bench', when: { wantsJson: false }, answer: { say, firstTokenDelayMs } }],
      });
    },
    async spentMs() {
      return spentByLine(await ask('GET', `log?scope=${llmKey}`));
    },
  };
}

/** Sums up the log of the simulated model by the last line of the user in each request. */
export function spentByLine(log: unknown): Map<string, number> {
  const spent = new Map<string, number>();
  for (const { request, receivedAt, finishedAt } of Log.parse(log).entries) {
    const line = request?.messages.findLast(({ role }) => role === 'user')?.content;
    if (typeof line !== 'string' || finishedAt === null) continue;
    spent.set(line, (spent.get(line) ?? 0) + Date.parse(finishedAt) - Date.parse(receivedAt));
  }
  return spent;
}
