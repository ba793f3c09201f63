import { startSttEmulator } from './server.ts';

/**
 * `node emulators/stt/main.ts`: the simulated speech recognition. PARLANCE_EMULATOR_STT_PORT = its port, a
 * free one when absent; PARLANCE_EMULATOR_STT_HOST = the address to listen on, 127.0.0.1 when absent.
 */
const host = process.env['PARLANCE_EMULATOR_STT_HOST'] || '127.0.0.1';
const emulator = await startSttEmulator({
  host,
  port: Number(process.env['PARLANCE_EMULATOR_STT_PORT'] ?? '') || 0,
});

console.log(
  `The simulated speech recognition (it understands only the modem, no voice) listens on ${emulator.telnyxUrl} and ${emulator.openAiUrl}; keys begin with "simulated"`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void emulator.close());
}
