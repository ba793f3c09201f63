/**
 * `node emulators/main.ts`: simulates, in one process, each vendor whose port is set: PARLANCE_EMULATOR_LLM_PORT,
 * _CARRIER_PORT, _STT_PORT, _TTS_GOOGLE_PORT. Their other variables are those of each `main.ts` below. SIGTERM closes
 * all.
 */
const env = process.env;
await Promise.all([
  env['PARLANCE_EMULATOR_LLM_PORT'] && import('./llm/main.ts'),
  env['PARLANCE_EMULATOR_CARRIER_PORT'] && import('./carrier/main.ts'),
  env['PARLANCE_EMULATOR_STT_PORT'] && import('./stt/main.ts'),
  env['PARLANCE_EMULATOR_TTS_GOOGLE_PORT'] && import('./tts/main.ts'),
]);
