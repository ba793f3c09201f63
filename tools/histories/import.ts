import { setTimeout as sleep } from 'node:timers/promises';
import { createContactFiles } from '../../src/providers/contact-files/contact-files.ts';
import type { ContactFiles } from '../../src/providers/contact-files/port.ts';
import { importWorkflowId } from '../../src/domain/temporal-ids.ts';
import { at, idAt } from '../../test/support/api-on-services.ts';
import { createImportWorld, type Tenant } from '../../test/support/import-world.ts';
import { until } from '../../test/support/until.ts';
import type { Recording } from './recording.ts';

/** Pause between two batches of rows; the number of rows determines the duration. */
const pauseMs = 250;
const row = (index: number) => `+1202555${String(1000 + index)}\n`;
const rowsOf = (count: number) =>
  `phone_number\n${Array.from({ length: count }, (_, index) => row(index)).join('')}`;

/** Yields rows slowly, so that the import can be observed. */
function slowly(files: ContactFiles): ContactFiles {
  return {
    ...files,
    async *rows(file, reading) {
      for await (const rows of files.rows(file, reading)) {
        for (const each of rows) {
          yield [each];
          await sleep(pauseMs);
        }
      }
    },
  };
}

const scenarios: Record<
  string,
  {
    content: string;
    meanwhile?: (
      tenant: Tenant,
      id: string,
      workflow: { terminate: () => Promise<unknown> },
    ) => Promise<void>;
  }
> = {
  checked: { content: rowsOf(2) },
  'nothing-in-the-file': { content: 'phone_number\n' },
  // At least six seconds, so that its progress can be read.
  'looked-at': { content: rowsOf(26) },
  canceled: {
    content: rowsOf(400),
    async meanwhile(tenant, id) {
      await until(
        'rows are read',
        async () => Number(at((await tenant.ask('GET', `/directories/${id}`)).body, 'totals', 'rows')) > 2,
      );
      await tenant.ask('DELETE', `/directories/${id}/check`);
    },
  },
  terminated: {
    content: rowsOf(400),
    async meanwhile(tenant, id, workflow) {
      await until(
        'rows are read',
        async () => Number(at((await tenant.ask('GET', `/directories/${id}`)).body, 'totals', 'rows')) > 2,
      );
      await workflow.terminate();
    },
  },
};

/** Imports of contact files. */
export async function openImports(): Promise<Recording> {
  const world = await createImportWorld('mariadb', { contactFiles: slowly(createContactFiles()) });
  await world.startWorker();
  const tenant = await world.tenant();
  return {
    temporal: world.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      const { content = '', meanwhile } = scenarios[name] ?? {};
      const { body } = await tenant.upload(content);
      const id = idAt(body, 'id');
      await tenant.ask('POST', `/directories/${id}/check`);
      const workflowId = importWorkflowId(idAt(body, 'uuid'), 1);
      await meanwhile?.(tenant, id, world.temporal.client.workflow.getHandle(workflowId));
      return workflowId;
    },
    close: () => world.close(),
  };
}
