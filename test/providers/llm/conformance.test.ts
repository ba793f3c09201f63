import { afterAll, beforeAll } from '@jest/globals';
import { createGuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { createGuardedFetch } from '../../../src/providers/llm/guarded-fetch.ts';
import { FakeLlm, type FakeReply } from '../../support/fake-llm.ts';
import { startLlmBench, type LlmBench } from '../../support/llm-emulator.ts';
import { describeConformance } from './conformance.ts';

let bench: LlmBench;
const http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: ['127.0.0.1:*'] });
beforeAll(async () => {
  bench = await startLlmBench();
});
afterAll(async () => {
  await http.close();
  await bench.close();
});

describeConformance('the scripted fake', (reply) => new FakeLlm(() => reply));

describeConformance('the openai adapter', ({ text, toolCalls = [], fail, stall }: FakeReply) => {
  const call = toolCalls.map(({ name, arguments: values, argumentsText }) => ({
    tool: name,
    arguments: values,
    argumentsText,
  }));
  const answer = {
    say: text,
    call,
    ...(fail === undefined ? {} : { breakOff: 'reset' as const }),
    ...(stall === undefined ? {} : { stall: 'mid_stream' as const }),
  };
  return bench.llmThat(answer).llm;
});

describeConformance('a model that a customer brings', ({ text, toolCalls = [], fail, stall }: FakeReply) => {
  const call = toolCalls.map(({ name, arguments: values, argumentsText }) => ({
    tool: name,
    arguments: values,
    argumentsText,
  }));
  const answer = {
    say: text,
    call,
    ...(fail === undefined ? {} : { breakOff: 'reset' as const }),
    ...(stall === undefined ? {} : { stall: 'mid_stream' as const }),
  };
  return bench.llmThat(answer, { fetch: createGuardedFetch(http) }).llm;
});
