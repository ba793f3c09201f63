import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import { createPhoneCalls } from '../../src/services/calls/index.ts';
import type { CallInput } from '../../src/temporal/port.ts';
import {
  at,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertConnection } from '../support/telephony.ts';

describe('a call is dialed with the number and the connection that were checked', () => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let started: CallInput[];
  let tenant: { organizationId: number; key: string };
  let own: { configurationId: number; numberIds: number[] };
  let foreign: { configurationId: number; numberIds: number[] };
  let agentId: number;

  beforeAll(async () => {
    database = await createTestDatabase('mariadb');
    const { db } = database;
    const calls = {
      startPhoneCall: (input: CallInput) => {
        started.push(input);
        return Promise.resolve({ kind: 'accepted' as const });
      },
    };
    const carrier = createPhoneCalls({ db, calls });
    api = await startApi(db, { carriers: new Map([['telnyx', carrier]]) });
    tenant = await createTenant(db);
    own = await insertConnection(db, tenant.organizationId, {
      name: 'Own',
      numbers: [true, true, false],
    });
    await db.getRepository(phoneNumbers).update({ id: own.numberIds[0] ?? 0 }, { isDefaultCallerId: true });
    foreign = await insertConnection(db, (await createTenant(db)).organizationId, { name: 'Foreign' });
    const { body } = await api.ask(tenant.key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: triggeredGraph('shown-number'),
    });
    agentId = Number(idAt(body, 'id'));
  });
  beforeEach(() => {
    started = [];
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const dial = {
    trigger: (body: object) =>
      api.ask(tenant.key, 'POST', '/public/agent/shown-number', { phone_number: '4915112345678', ...body }),
    'initiate-call': (body: object) =>
      api.ask(tenant.key, 'POST', '/telephony/initiate-call', {
        workflow_id: agentId,
        phone_number: '4915112345678',
        ...body,
      }),
  };

  describe.each(['trigger', 'initiate-call'] as const)('%s', (way) => {
    test.each([
      ['another number of the connection', () => own.numberIds[1]],
      ['an inactive number of the connection', () => own.numberIds[2]],
      ['a number of another organization', () => foreign.numberIds[0]],
    ])('initial_context.from_phone_number_id does not choose %s', async (_title, named) => {
      const context = {
        from_phone_number_id: named(),
        telephony_configuration_id: foreign.configurationId,
        called_number: '4930000000',
        caller_number: '+4930111111',
      };
      const answer = await dial[way]({ initial_context: context });
      expect(answer.status).toBe(200);
      expect(started.map(({ channel }) => channel)).toMatchObject([
        { configurationId: own.configurationId, phoneNumberId: own.numberIds[0] },
      ]);
      const run = await api.ask(
        tenant.key,
        'GET',
        `/workflow/${agentId}/runs/${idAt(answer.body, 'workflow_run_id')}`,
      );
      expect(at(run.body, 'initial_context')).toMatchObject({
        telephony_configuration_id: own.configurationId,
        called_number: '4915112345678',
      });
      expect(at(run.body, 'initial_context')).not.toHaveProperty('from_phone_number_id');
    });

    test('the number of the request wins over the one in initial_context', async () => {
      const answer = await dial[way]({
        from_phone_number_id: own.numberIds[1],
        initial_context: { from_phone_number_id: own.numberIds[2] },
      });
      expect(answer.status).toBe(200);
      expect(started.map(({ channel }) => channel)).toMatchObject([{ phoneNumberId: own.numberIds[1] }]);
    });
  });
});
