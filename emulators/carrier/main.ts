import { readFileSync } from 'node:fs';
import { startCarrierEmulator } from './server.ts';
import { Settings } from './settings.ts';

/**
 * `node emulators/carrier/main.ts [settings.json]`: the simulated carrier. PARLANCE_EMULATOR_CARRIER_PORT =
 * its port, a free one when absent; PARLANCE_EMULATOR_CARRIER_HOST = the address to listen on, 127.0.0.1 when
 * absent; _KEY_SEED = any text, from which the signing key is derived; _LOG = a file for its log; _STATE = a
 * file that stores the account's objects across restarts.
 */
const [file] = process.argv.slice(2);
const emulator = await startCarrierEmulator({
  host: process.env['PARLANCE_EMULATOR_CARRIER_HOST'] || '127.0.0.1',
  port: Number(process.env['PARLANCE_EMULATOR_CARRIER_PORT'] ?? '') || 0,
  settings: file === undefined ? {} : Settings.parse(JSON.parse(readFileSync(file, 'utf8'))),
  keySeed: process.env['PARLANCE_EMULATOR_CARRIER_KEY_SEED'] || undefined,
  logFile: process.env['PARLANCE_EMULATOR_CARRIER_LOG'] || undefined,
  stateFile: process.env['PARLANCE_EMULATOR_CARRIER_STATE'] || undefined,
});

console.log(
  `The simulated carrier (no phone rings, callees are scripted) listens on ${emulator.url}; keys begin with "simulated"; its public key is ${emulator.publicKey}; seed ${emulator.settings.seed}`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void emulator.close());
}
