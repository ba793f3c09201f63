import { afterAll, beforeAll } from '@jest/globals';
import { reconnectingStt } from '../../../src/providers/stt/reconnecting.ts';
import { startSttBench, type SttBench, type SttVendor } from '../../support/stt-emulator.ts';
import { describeConformance } from './conformance.ts';

let bench: SttBench;
beforeAll(async () => {
  bench = await startSttBench();
});
afterAll(async () => await bench.close());

const timing = { closeMs: 300 };

for (const vendor of ['telnyx', 'openai'] satisfies SttVendor[]) {
  const openOf = (key: string) => () =>
    bench.emulator.log.entries(key).filter(({ closedAt }) => closedAt === null).length;
  describeConformance(`the ${vendor} adapter`, (faults, more) => {
    const { stt, key } = bench.sttThat(vendor, faults, { timing, ...more });
    return { stt, openConnections: openOf(key) };
  });
  describeConformance(`the ${vendor} adapter with lasting sessions`, (faults, more) => {
    const { stt, key } = bench.sttThat(vendor, faults, { timing, ...more });
    return { stt: reconnectingStt(stt), openConnections: openOf(key) };
  });
}
