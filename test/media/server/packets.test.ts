import { expect, test } from '@jest/globals';
import { mediaBases } from '../../support/fuzz/bases.ts';
import { attack } from '../../support/fuzz/under-attack.ts';
import { eventually, runNode } from '../../support/process.ts';

test('no mutated packet at the port of a media host ends it or fills its memory', async () => {
  const running = runNode('test/support/fuzz/media.ts');
  try {
    const port = await eventually('the port', () => /"port":(\d+)/.exec(running.output())?.[1]);
    await attack({
      title: 'a media host',
      running,
      port: Number(port),
      bases: mediaBases('aa'),
      count: { usual: 200, all: 20_000 },
    });
    expect(running.output().split('\n')).toHaveLength(2);
  } finally {
    await running.stop();
  }
});
