import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { agentVersions } from '../../../../src/db/tables/agent-versions.ts';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { phoneLegs } from '../../../../src/db/tables/phone-legs.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import { readArguments } from '../../../../src/services/campaigns/dial-policy/read-arguments.ts';
import { isStopped, lockPolicy } from '../../../../src/services/campaigns/index.ts';
import { readPolicy } from '../../../../src/services/telephony/index.ts';
import {
  resumeByOperator,
  stopByOperator,
} from '../../../../src/services/campaigns/dial-policy/operator-switch.ts';
import {
  answeringCalls,
  createTenant,
  idAt,
  startApi,
  completeGraph,
  type ApiUnderTest,
} from '../../../support/api-on-services.ts';
import { insertCalls } from '../../../support/call-rows.ts';
import { insertCampaign } from '../../../support/campaign-targets.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertConnection } from '../../../support/telephony.ts';

describe.each(databases)('dialing on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: { organizationId: number; userId: number; key: string };
  const canceled: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, {
      calls: {
        ...answeringCalls,
        cancelCall: (uuid) => Promise.resolve(canceled.push(uuid) > 0 ? 'delivered' : 'gone'),
      },
    });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  beforeEach(async () => {
    owner = await createTenant(database.db);
    canceled.length = 0;
  });

  const ask = async (method: string, path: string, body?: unknown) =>
    (await api.ask(owner.key, method, `/organizations/${path}`, body)).body;
  const stopped = (organizationId = owner.organizationId) => isStopped(database.db.manager, organizationId);
  const operator = async () => ({ ...(await createTestContext(database.db)) });

  describe('the policy', () => {
    test('sets no limits until it is saved, and is replaced as a whole', async () => {
      expect(await ask('GET', 'dial-policy')).toEqual({
        reserved_lines: null,
        starts_per_second: null,
        caps: null,
        window: null,
        allowed_countries: null,
        allow_special_numbers: false,
        allowed_sip_hosts: null,
        max_calls_per_day: null,
        max_call_minutes_per_day: null,
        updated_at: null,
      });
      expect(await readPolicy(database.db.manager, owner.organizationId)).toEqual({});
      const slots = [{ day_of_week: 0, start_time: '09:00', end_time: '18:30' }];
      const set = await ask('PUT', 'dial-policy', {
        reserved_lines: 0,
        starts_per_second: 0.5,
        caps: { per_day: 2 },
        window: { slots },
        allowed_countries: ['DE', 'AT'],
        allow_special_numbers: true,
        allowed_sip_hosts: ['PBX.example.com'],
        max_calls_per_day: 100,
        max_call_minutes_per_day: 300,
      });
      expect(set).toMatchObject({
        reserved_lines: 0,
        starts_per_second: 0.5,
        caps: { per_hour: null, per_day: 2, per_week: null },
        window: { slots },
        allowed_countries: ['DE', 'AT'],
        allow_special_numbers: true,
        allowed_sip_hosts: ['pbx.example.com'],
        max_calls_per_day: 100,
        max_call_minutes_per_day: 300,
        updated_at: expect.any(String),
      });
      expect(await ask('GET', 'dial-policy')).toEqual(set);
      expect(await readPolicy(database.db.manager, owner.organizationId)).toEqual({
        reservedLines: 0,
        startsPerSecond: 0.5,
        caps: { perHour: null, perDay: 2, perWeek: null },
        window: { slots: [{ day: 0, start: '09:00', end: '18:30' }] },
        countries: ['DE', 'AT'],
        allowsSpecialNumbers: true,
        sipHosts: ['pbx.example.com'],
        maxCallsPerDay: 100,
        maxCallMinutesPerDay: 300,
      });
      expect(await ask('PUT', 'dial-policy', { reserved_lines: 3 })).toMatchObject({
        reserved_lines: 3,
        starts_per_second: null,
        caps: null,
        window: null,
      });
      expect(await readPolicy(database.db.manager, (await createTenant(database.db)).organizationId)).toEqual(
        {},
      );
    });

    test.each([
      [
        'a window that closes before it opens',
        { window: { slots: [{ day_of_week: 0, start_time: '18:00', end_time: '09:00' }] } },
        'value_error',
        ['body', 'window', 'slots', 0],
      ],
      ['no hours', { window: { slots: [] } }, 'too_short', ['body', 'window', 'slots']],
      [
        'an invalid hour',
        { window: { slots: [{ day_of_week: 0, start_time: '08:00', end_time: '25:00' }] } },
        'string_pattern_mismatch',
        ['body', 'window', 'slots', 0, 'end_time'],
      ],
      [
        'a code of no country',
        { allowed_countries: ['DE', 'XX'] },
        'value_error',
        ['body', 'allowed_countries', 1],
      ],
      [
        'a SIP host with a port',
        { allowed_sip_hosts: ['pbx.example.com:5060'] },
        'string_pattern_mismatch',
        ['body', 'allowed_sip_hosts', 0],
      ],
      ['a cap of 0', { caps: { per_day: 0 } }, 'greater_than_equal', ['body', 'caps', 'per_day']],
      ['a pace of 0', { starts_per_second: 0 }, 'greater_than_equal', ['body', 'starts_per_second']],
    ])('with %s is refused', async (_what, body, type, loc) => {
      const answer = await api.ask(owner.key, 'PUT', '/organizations/dial-policy', body);
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc }] } });
    });

    test('keeps the pace and the switch in its row when it is saved', async () => {
      await inTransaction(database.db, async (tx) => {
        expect(
          await lockPolicy(tx, owner.organizationId, new Date('2026-11-21T10:00:00.000Z')),
        ).toMatchObject({ policy: {}, paceTokens: 1, stoppedAt: null });
        await tx.query('UPDATE dial_policies SET pace_tokens = 0.25 WHERE organization_id = ?', [
          owner.organizationId,
        ]);
      });
      await ask('POST', 'dialing/stop', {});
      await ask('PUT', 'dial-policy', { reserved_lines: 1 });
      expect(await stopped()).toBe(true);
      expect(
        await inTransaction(database.db, (tx) => lockPolicy(tx, owner.organizationId, new Date())),
      ).toMatchObject({ policy: { reservedLines: 1 }, paceTokens: 0.25 });
    });
  });

  describe('the switch', () => {
    // guarantee: dialing-switch-stops-all-campaigns
    test('stops the campaigns of its organization at once, and no others, and records who stopped them and when', async () => {
      const other = await createTenant(database.db);
      expect(await ask('GET', 'dialing')).toEqual({
        is_stopped: false,
        stopped_at: null,
        stopped_by: null,
        operator_stopped_at: null,
      });
      const first = await ask('POST', 'dialing/stop', {});
      expect(first).toEqual({
        is_stopped: true,
        stopped_at: expect.any(String),
        stopped_by: owner.userId,
        operator_stopped_at: null,
        hung_up: 0,
      });
      expect([await stopped(), await stopped(other.organizationId)]).toEqual([true, false]);
      expect(await ask('POST', 'dialing/stop', {})).toEqual(first);
      expect(await ask('POST', 'dialing/resume')).toEqual({
        is_stopped: false,
        stopped_at: null,
        stopped_by: null,
        operator_stopped_at: null,
      });
      expect(await stopped()).toBe(false);
      const entries = await database.db.getRepository(auditEvents).find({
        where: { organizationId: owner.organizationId, subjectKind: 'organization' },
        order: { id: 'ASC' },
      });
      expect(entries.map(({ action }) => action).filter((action) => action.startsWith('dialing'))).toEqual([
        'dialing.stopped',
        'dialing.stopped',
        'dialing.resumed',
      ]);
    });

    // guarantee: dialing-stop-ends-campaign-calls-only
    test('ends the unanswered calls of campaigns, or all of them, on request, and no other calls', async () => {
      const { organizationId } = owner;
      const agentId = Number(
        idAt(
          (
            await api.ask(owner.key, 'POST', '/workflow/create/definition', {
              name: 'a',
              workflow_definition: completeGraph(),
            })
          ).body,
          'id',
        ),
      );
      const { id: versionId } = await database.db.getRepository(agentVersions).findOneByOrFail({ agentId });
      const campaignId = await insertCampaign(database.db, organizationId, []);
      const { configurationId } = await insertConnection(database.db, organizationId);
      const live = {
        channel: 'phone',
        mode: 'telnyx',
        direction: 'outbound',
        source: 'campaign',
        campaignId,
      } as const;
      const named = {
        ringing: randomUUID(),
        answered: randomUUID(),
        over: randomUUID(),
        requested: randomUUID(),
      };
      const [, answered] = await insertCalls(
        database.db,
        { organizationId, agentId, versionId },
        { ...live, uuid: named.ringing, state: 'admitted' },
        { ...live, uuid: named.answered, state: 'talking' },
        { ...live, uuid: named.over, state: 'ended' },
        { ...live, uuid: named.requested, state: 'talking', source: 'api_prod', campaignId: null },
      );
      const answeredAt = new Date();
      await database.db.getRepository(phoneLegs).insert({
        organizationId,
        callId: answered ?? 0,
        role: 'main',
        configurationId,
        reference: `${named.answered}.main`,
        callControlId: null,
        legId: null,
        sessionId: null,
        state: 'answered',
        hangupCause: null,
        detection: null,
        dialedAt: answeredAt,
        answeredAt,
        endedAt: null,
        hangUpFrom: null,
        createdAt: answeredAt,
      });
      expect(await ask('POST', 'dialing/stop', { hang_up: 'none' })).toMatchObject({ hung_up: 0 });
      expect(await ask('POST', 'dialing/stop', { hang_up: 'unanswered' })).toMatchObject({ hung_up: 1 });
      expect(canceled.splice(0)).toEqual([named.ringing]);
      expect(await ask('POST', 'dialing/stop', { hang_up: 'all' })).toMatchObject({ hung_up: 2 });
      expect(canceled.toSorted()).toEqual([named.ringing, named.answered].toSorted());
      await database.db.getRepository(calls).update({ organizationId }, { state: 'ended' });
    });
  });

  describe('the operator', () => {
    test('stops one organization, which cannot undo it', async () => {
      const other = await createTenant(database.db);
      const deps = await operator();
      expect(
        await stopByOperator({ deps, input: { organization: String(owner.organizationId), reason: '' } }),
      ).toMatchObject({ scope: 'organization', organizationId: owner.organizationId, isStopped: true });
      expect([await stopped(), await stopped(other.organizationId)]).toEqual([true, false]);
      expect(await ask('POST', 'dialing/resume')).toMatchObject({
        is_stopped: true,
        stopped_at: null,
        operator_stopped_at: expect.any(String),
      });
      expect(await stopped()).toBe(true);
      expect(
        await resumeByOperator({ deps, input: { organization: String(owner.organizationId), reason: '' } }),
      ).toMatchObject({ isStopped: false });
      expect(await stopped()).toBe(false);
      await expect(
        stopByOperator({ deps, input: { organization: randomUUID(), reason: '' } }),
      ).rejects.toMatchObject({ code: 'not_found' });
    });

    // guarantee: operator-stops-all-organizations
    test('stops all organizations, including new ones, and resumes only those that did not stop themselves', async () => {
      const deps = await operator();
      await ask('POST', 'dialing/stop', {});
      const first = await stopByOperator({ deps, input: { organization: null, reason: 'wrong file' } });
      expect(await stopByOperator({ deps, input: { organization: null, reason: 'again' } })).toEqual(first);
      const later = await createTenant(database.db);
      expect([await stopped(), await stopped(later.organizationId)]).toEqual([true, true]);
      expect((await api.ask(later.key, 'GET', '/organizations/dialing')).body).toMatchObject({
        is_stopped: true,
        stopped_at: null,
        operator_stopped_at: expect.any(String),
      });
      await resumeByOperator({ deps, input: { organization: null, reason: '' } });
      expect([await stopped(), await stopped(later.organizationId)]).toEqual([true, false]);
    });
  });
});

test('reads on the command line which organization is meant, and refuses unknown arguments', () => {
  expect(readArguments([])).toEqual({ organization: null, reason: '' });
  expect(readArguments(['--organization', '7', '--reason', 'wrong file'])).toEqual({
    organization: '7',
    reason: 'wrong file',
  });
  expect(readArguments(['--organization', ''])).toHaveProperty('fault');
  expect(readArguments(['--everybody'])).toHaveProperty('fault');
  expect(readArguments(['7'])).toHaveProperty('fault');
});
