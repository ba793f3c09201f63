import { z } from 'zod';

/** The key that the measured processes use; rules and log of the simulated model go by it. */
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

/** The simulated model, as the benchmark arranges and reads it. */
export interface SimulatedModel {
  /** From now on it answers every question with the same words, after that delay; its log begins anew. */
  answerAfter(firstTokenDelayMs: number, say?: string): Promise<void>;
  /**
   * Milliseconds that it has spent so far on answering each line of a user: from a request's arrival to its
   * last byte.
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

/** Sums up a log of the simulated model by the last line of the user that a request holds. */
export function spentByLine(log: unknown): Map<string, number> {
  const spent = new Map<string, number>();
  for (const { request, receivedAt, finishedAt } of Log.parse(log).entries) {
    const line = request?.messages.findLast(({ role }) => role === 'user')?.content;
    if (typeof line !== 'string' || finishedAt === null) continue;
    spent.set(line, (spent.get(line) ?? 0) + Date.parse(finishedAt) - Date.parse(receivedAt));
  }
  return spent;
}
