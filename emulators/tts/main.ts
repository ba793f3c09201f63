import { startTtsEmulator } from './server.ts';

/**
 * `node emulators/tts/main.ts`: the simulated voices. PARLANCE_EMULATOR_TTS_PORT = the port of OpenAI's
 * protocol, PARLANCE_EMULATOR_TTS_GOOGLE_PORT = that of Google's, free ones when absent;
 * PARLANCE_EMULATOR_TTS_HOST = the address to listen on, 127.0.0.1 when absent.
 */
const port = (name: string): number => Number(process.env[name] ?? '') || 0;
const host = process.env['PARLANCE_EMULATOR_TTS_HOST'] || '127.0.0.1';
const emulator = await startTtsEmulator({
  host,
  port: port('PARLANCE_EMULATOR_TTS_PORT'),
  googlePort: port('PARLANCE_EMULATOR_TTS_GOOGLE_PORT'),
});

console.log(
  `The simulated voices (no speech, a modem's tones) listen on ${emulator.googleUrl} (Google's gRPC) and ${emulator.openAiUrl} (OpenAI; keys begin with "simulated")`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void emulator.close());
}
