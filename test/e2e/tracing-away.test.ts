import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { z } from 'zod';
import { edge, node } from '../support/definitions.ts';
import { closeServer, portOf } from '../support/receiver.ts';
import { freePort, startWholeService } from '../support/whole-service.ts';

const Made = z.object({ id: z.int() });
const Session = z.object({ workflow_run_id: z.int(), revision: z.int(), is_completed: z.boolean() });

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** Accepts every request and answers none. */
async function hanging(): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => closeServer(server));
  return `http://127.0.0.1:${portOf(server)}`;
}

const receivers = [
  ['hangs', hanging],
  ['is unavailable', async () => `http://127.0.0.1:${await freePort()}`],
] as const;

describe.each(receivers)('a receiver of traces that %s', (_, address) => {
  test('makes no call fail, is reported once by each process, and delays no shutdown', async () => {
    const service = await startWholeService({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: await address(), OTEL_EXPORTER_OTLP_TIMEOUT: '1000' },
    });
    open.push(() => service.stop());
    const worker = service.startWorker();
    const graph = {
      nodes: [
        node('start', 'startCall', { name: 'Start', prompt: 'Be brief.', greeting: 'Hello.' }),
        node('end', 'endCall', { name: 'End', prompt: 'Bye.' }),
      ],
      edges: [edge('start-end', 'start', 'end', 'done')],
    };
    const { id } = Made.parse(
      (
        await service.request('POST', '/workflow/create/definition', {
          name: 'Traced',
          workflow_definition: graph,
        })
      ).body,
    );
    const sessions = `/workflow/${id}/text-chat/sessions`;
    let session = Session.parse((await service.request('POST', sessions, {})).body);
    for (let turn = 1; turn <= 3; turn += 1)
      session = Session.parse(
        (
          await service.request('POST', `${sessions}/${session.workflow_run_id}/messages`, {
            text: 'Hello?',
            expected_revision: session.revision,
          })
        ).body,
      );
    session = Session.parse(
      (
        await service.request('POST', `${sessions}/${session.workflow_run_id}/end`, {
          expected_revision: session.revision,
        })
      ).body,
    );
    expect(session.is_completed).toBe(true);

    for (const running of [service.api, worker]) {
      expect(await running.stop()).toEqual({ code: 0, signal: null });
      const warned = running
        .output()
        .split('\n')
        .filter((line) => /\btraces?\b|otlp|export/i.test(line) && !line.includes('"level":"info"'));
      expect(warned).toEqual([
        expect.stringMatching(/Traces cannot be sent|The last traces could not be sent in time/),
      ]);
    }
  });
});
