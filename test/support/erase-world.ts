import type { ServerKind } from '../../src/db/data-source.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../src/db/tables/deliveries.ts';
import { idempotencyKeys } from '../../src/db/tables/idempotency-keys.ts';
import { turns, type TurnRow } from '../../src/db/tables/turns.ts';
import { createFingerprint } from '../../src/providers/secrets/fingerprint.ts';
import { createTickets } from '../../src/providers/secrets/tickets.ts';
import {
  readEraseArguments,
  runErasure,
  type EraseReport,
} from '../../src/services/data-lifecycle/erasure/command.ts';
import type { RecordingStore } from '../../src/services/calls/index.ts';
import { createHistories } from '../../src/temporal/histories.ts';
import type { Histories } from '../../src/temporal/histories-port.ts';
import { createCallWorld, type CallWorld, type WorkerOptions } from './call-world.ts';
import { testSecrets } from './database.ts';
import { createFakeCustomerHttp, type FakeCustomerHttp } from './fake-customer-http.ts';
import { createRepeatingLlm, createTalkativeTenant, type MarkedPerson, type Tenant } from './person-call.ts';
import { scanHistories, scanTables } from './scan.ts';

export const fingerprint = createFingerprint(`test:${Buffer.alloc(32, 7).toString('base64')}`);

/**
 * Calls of a tenant that can be erased, and a search for all traces of a person. One per test file and
 * server.
 */
export interface EraseWorld {
  world: CallWorld;
  tenant: Tenant;
  http: FakeCustomerHttp;
  /** `table.column` of everything that contains a mark of the person. */
  tables: (person: MarkedPerson) => Promise<string[]>;
  /** Workflow Ids of histories with such a mark. */
  histories: (person: MarkedPerson) => Promise<string[]>;
  /** The number of stored idempotency answers with such a mark, after decryption. */
  keptAnswers: (person: MarkedPerson) => Promise<number>;
  everythingOf: (callId: number) => Promise<{ call: CallRow; turns: TurnRow[]; deliveries: DeliveryRow[] }>;
  /** The command, in the tenant's organization. */
  erase: (args: string[], histories?: Histories, files?: RecordingStore) => Promise<EraseReport>;
  close: () => Promise<void>;
}

/** No one is in a call. */
const noAccounts = () => {
  throw new Error('This world has no carrier');
};

export async function createEraseWorld(
  kind: ServerKind,
  worker: Pick<WorkerOptions, 'histories' | 'files'> = {},
): Promise<EraseWorld> {
  const http = createFakeCustomerHttp();
  const world = await createCallWorld({ llm: createRepeatingLlm(), kind });
  await world.startWorker({ deps: { http }, ...worker });
  const tenant = await createTalkativeTenant(world);
  const { db } = world.ctx;
  const marksOf = ({ mark, digits }: MarkedPerson) => [mark, digits];
  const real = createHistories({ temporal: world.temporal });
  return {
    world,
    tenant,
    http,
    tables: (person) => scanTables(db, marksOf(person)),
    histories: (person) => scanHistories(world.temporal, tenant.organizationUuid, marksOf(person)),
    async keptAnswers({ mark }) {
      const rows = await db
        .getRepository(idempotencyKeys)
        .findBy({ organizationId: tenant.ctx.organizationId });
      return rows.filter(
        ({ responseBody }) =>
          responseBody !== null && createTickets(testSecrets).open(responseBody)?.includes(mark) === true,
      ).length;
    },
    everythingOf: async (callId) => ({
      call: await db.getRepository(calls).findOneByOrFail({ id: callId }),
      turns: await db.getRepository(turns).findBy({ callId }),
      deliveries: await db.getRepository(deliveries).findBy({ callId }),
    }),
    async erase(args, histories = real, files) {
      const asked = readEraseArguments(['--organization', '1', ...args]);
      if ('fault' in asked) throw new Error(asked.fault);
      return await runErasure({
        ctx: { ...tenant.ctx, actor: { kind: 'system', name: 'operator' } },
        deps: { histories, prices: undefined, accounts: noAccounts, files },
        fingerprint,
        organizationUuid: tenant.organizationUuid,
        asked,
      });
    },
    async close() {
      await tenant.api.close();
      await world.close();
    },
  };
}
