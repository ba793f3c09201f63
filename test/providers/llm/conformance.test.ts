import { afterAll, beforeAll } from '@jest/globals';
import { FakeLlm, type FakeReply } from '../../support/fake-llm.ts';
import { startLlmBench, type LlmBench } from '../../support/llm-emulator.ts';
import { describeConformance } from './conformance.ts';

let bench: LlmBench;
beforeAll(async () => {
  bench = await startLlmBench();
});
afterAll(() => bench.close());

describeConformance('the scripted fake', (reply) => new FakeLlm(() => reply));

describeConformance('the openai adapter', ({ text, toolCalls = [], fail, stall }: FakeReply) => {
  const call = toolCalls.map(({ name, arguments: values, argumentsText }) => ({ tool: name, arguments: values, argumentsText }));
  const answer = { say: text, call, ...(fail === undefined ? {} : { breakOff: 'reset' as const }), ...(stall === undefined ? {} : { stall: 'mid_stream' as const }) };
  return bench.llmThat(answer).llm;
});
