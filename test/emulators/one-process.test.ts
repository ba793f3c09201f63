import { expect, test } from '@jest/globals';
import { anyFreePort } from '../../tools/bootstrap/ports.mjs';
import { eventually, runNode } from '../support/process.ts';

const vendors = {
  PARLANCE_EMULATOR_LLM_PORT: 'simulated language model',
  PARLANCE_EMULATOR_CARRIER_PORT: 'simulated carrier',
  PARLANCE_EMULATOR_STT_PORT: 'simulated speech recognition',
  PARLANCE_EMULATOR_TTS_GOOGLE_PORT: 'simulated voices',
};

test.each([
  ['all vendors', Object.keys(vendors)],
  ['only the vendors whose port is set', ['PARLANCE_EMULATOR_CARRIER_PORT', 'PARLANCE_EMULATOR_STT_PORT']],
])('one process simulates %s, each on its port, until it is told to stop', async (_, names) => {
  const ports: Record<string, string> = {};
  for (const name of names) ports[name] = String(await anyFreePort());
  const simulated = runNode('emulators/main.ts', { env: ports });
  try {
    const lines = await eventually(
      'each vendor says where it listens',
      () => {
        const all = simulated.output().trim().split('\n');
        return all.length >= names.length ? all : undefined;
      },
      { detail: simulated.output },
    );
    expect(lines).toHaveLength(names.length);
    const portOf = (vendor: string) =>
      /127\.0\.0\.1:(\d+)/.exec(lines.find((each) => each.includes(vendor)) ?? '')?.[1];
    expect(
      Object.fromEntries(Object.entries(vendors).map(([name, vendor]) => [name, portOf(vendor)])),
    ).toEqual(ports);
  } finally {
    expect(await simulated.stop()).toEqual({ code: 0, signal: null });
  }
});
