import { expect, test } from '@jest/globals';
import { apiBases } from '../support/fuzz/bases.ts';
import { attack } from '../support/fuzz/under-attack.ts';
import { eventually, runNode } from '../support/process.ts';

test('no mutated packet at the port of the API ends it or fills its memory', async () => {
  const running = runNode('test/support/fuzz/api.ts');
  try {
    const port = await eventually('the port', () => /"port":(\d+)/.exec(running.output())?.[1]);
    await attack({
      title: 'the API',
      running,
      port: Number(port),
      bases: apiBases,
      count: { usual: 200, all: 5000 },
    });
    expect(running.output().split('\n')).toHaveLength(2);
  } finally {
    await running.stop();
  }
});
