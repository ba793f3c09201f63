import { readFileSync } from 'node:fs';
import { RuleList } from './rules.ts';
import { startLlmEmulator } from './server.ts';
import { shippedRules } from './shipped-rules.ts';

/**
 * `node emulators/llm/main.ts [rules.json ...]`: the simulated language model with its own rules, after those
 * of the files. PARLANCE_EMULATOR_LLM_PORT = its port, a free one when absent; PARLANCE_EMULATOR_LLM_HOST =
 * the address to listen on, 127.0.0.1 when absent.
 */
const rules = process.argv.slice(2).flatMap((file) => RuleList.parse(JSON.parse(readFileSync(file, 'utf8'))));
const host = process.env['PARLANCE_EMULATOR_LLM_HOST'] || '127.0.0.1';
const emulator = await startLlmEmulator({
  host,
  port: Number(process.env['PARLANCE_EMULATOR_LLM_PORT'] ?? '') || 0,
  rules: [...rules, ...shippedRules],
});

console.log(
  `The simulated language model (no real model, scripted answers) listens on ${emulator.url}; keys begin with "simulated"`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void emulator.close());
}
