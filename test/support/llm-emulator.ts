import { randomUUID } from 'node:crypto';
import type { Action } from '../../emulators/llm/rules.ts';
import { startLlmEmulator, type LlmEmulator } from '../../emulators/llm/server.ts';
import { createOpenAiLlm, type OpenAiLlmOptions } from '../../src/providers/llm/openai.ts';
import type { LlmPort } from '../../src/providers/llm/port.ts';

export interface LlmBench {
  emulator: LlmEmulator;
  /**
   * The real adapter with a new key, for which the emulator runs the given actions: the nth request gets the
   * nth, later ones the last.
   */
  llmThat(actions: Action | Action[], options?: Partial<OpenAiLlmOptions>): { llm: LlmPort; key: string };
  close(): Promise<void>;
}

/** The emulator on a free port with adapters. The caller closes it. */
export async function startLlmBench(): Promise<LlmBench> {
  const emulator = await startLlmEmulator();
  return {
    emulator,
    llmThat(actions, options = {}) {
      const key = `simulated-${randomUUID()}`;
      const list = [actions].flat();
      emulator.rules.add(
        list.map((answer, position) => ({
          name: `answer ${position + 1}`,
          when: position === list.length - 1 ? {} : { nth: position + 1 },
          answer,
        })),
        key,
      );
      return { llm: createOpenAiLlm({ apiKey: key, baseUrl: emulator.url, ...options }), key };
    },
    close: () => emulator.close(),
  };
}
