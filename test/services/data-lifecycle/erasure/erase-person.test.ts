import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agents } from '../../../../src/db/tables/agents.ts';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { deliveries } from '../../../../src/db/tables/deliveries.ts';
import { callWorkflowId, deliveryWorkflowId } from '../../../../src/domain/temporal-ids.ts';
import { bothDatabases } from '../../../support/database.ts';
import { insertEndedCall } from '../../../support/delivery-rows.ts';
import { createEraseWorld, fingerprint, type EraseWorld } from '../../../support/erase-world.ts';
import { anna, bert, talkToTheEnd } from '../../../support/person-call.ts';
import { until } from '../../../support/until.ts';

describe.each(bothDatabases)('erasing a person on %s', (kind) => {
  let own: EraseWorld;

  beforeAll(async () => {
    own = await createEraseWorld(kind);
  });
  afterAll(async () => await own.close());

  test("leaves no words, names or numbers of the person in any table or Workflow history, and keeps all of another person's", async () => {
    const { world, tenant, tables, histories, keptAnswers, everythingOf, erase } = own;
    const hers = await talkToTheEnd({ ...own, person: anna });
    const his = await talkToTheEnd({ ...own, person: bert });
    const waiting = await world.ctx.db
      .getRepository(deliveries)
      .findOneByOrFail({ callId: hers.callId, nodeId: 'waiting' });
    const callWorkflow = callWorkflowId((await hers.row()).uuid);
    const everywhere = [
      'agents.disposition_codes',
      'audit_events.request_id',
      'call_summaries.text',
      'calls.annotations',
      'calls.disposition',
      'calls.gathered_context',
      'calls.initial_context',
      'calls.logs',
      'calls.name',
      'calls.tags',
      'deliveries.body',
      'delivery_attempts.response_excerpt',
      'extractions.found_values',
      'idempotency_keys.idempotency_key',
      'tool_runs.result',
      'turns.events',
      'turns.lines',
      'turns.reply_text',
      'turns.tool_rounds',
      'turns.user_text',
    ];
    expect(await tables(anna)).toEqual(everywhere);
    expect(await keptAnswers(anna)).toBeGreaterThan(5);
    expect(
      await until('her call in the list', async () =>
        (await histories(anna)).length > 0 ? await histories(anna) : undefined,
      ),
    ).toEqual([callWorkflow]);
    const before = {
      his: await everythingOf(his.callId),
      tables: await tables(bert),
      answers: await keptAnswers(bert),
    };

    expect(await erase(['--phone', `+49${anna.digits}`])).toMatchObject({
      outcome: 'counted',
      calls: [hers.callId],
      live: [],
      erased: null,
      content: { turns: expect.any(Number), calls: 1, deliveries: 2, delivery_attempts: 2 },
    });
    expect(await tables(anna)).toEqual(everywhere);

    const report = await erase(['--phone', `+49 ${anna.digits}`, '--yes']);
    expect(report).toMatchObject({
      outcome: 'erased',
      calls: [hers.callId],
      erased: { ended: 1, removed: { ...report.content, audit_events: expect.any(Number) } },
    });
    expect(await tables(anna)).toEqual([]);
    expect(await keptAnswers(anna)).toBe(0);
    expect(await histories(anna)).toEqual([]);
    for (const workflowId of [callWorkflow, deliveryWorkflowId(waiting.uuid)]) {
      await expect(world.temporal.client.workflow.getHandle(workflowId).describe()).rejects.toMatchObject({
        name: 'WorkflowNotFoundError',
      });
      await expect(world.temporal.client.workflow.getHandle(workflowId).fetchHistory()).rejects.toThrow(
        /not found/i,
      );
    }

    expect(await everythingOf(his.callId)).toEqual(before.his);
    expect({ tables: await tables(bert), answers: await keptAnswers(bert) }).toEqual({
      tables: before.tables,
      answers: before.answers,
    });
    expect(await histories(bert)).toEqual([callWorkflowId((await his.row()).uuid)]);
    expect(
      (await world.ctx.db.getRepository(agents).findOneByOrFail({ id: tenant.agentId })).dispositionCodes,
    ).toContain(`wish of ${bert.mark}`);

    const audit = await world.ctx.db.getRepository(auditEvents).find({
      where: { organizationId: tenant.ctx.organizationId, subjectKind: 'person' },
      order: { id: 'ASC' },
    });
    const fingerprints = [fingerprint(`+49${anna.digits}`)];
    expect(audit.map(({ action, changes }) => ({ action, changes }))).toEqual([
      { action: 'person.erase_requested', changes: { calls: [hers.callId], fingerprints } },
      {
        action: 'person.erased',
        changes: {
          calls: [hers.callId],
          fingerprints,
          rowsInFiles: 0,
          removed: report.erased?.removed,
          ended: 1,
          forgotten: report.erased?.forgotten,
        },
      },
    ]);
  });

  test("only counts numbers without a country code, and never finds another organization's calls", async () => {
    const { world, tenant, erase } = own;
    const { callId } = await insertEndedCall(tenant.ctx);
    const foreign = await insertEndedCall(world.ctx);
    const rows = world.ctx.db.getRepository(calls);
    await rows.update({ id: callId }, { initialContext: { caller_number: '015544332211' } });
    await rows.update({ id: foreign.callId }, { initialContext: { caller_number: '+4915544332211' } });
    expect(await erase(['--phone', '+4915544332211'])).toMatchObject({
      outcome: 'nobody',
      calls: [],
      nationalOnly: 1,
    });
    expect(await erase(['--phone', '+4915544332211', '--national'])).toMatchObject({
      outcome: 'counted',
      calls: [callId],
      nationalOnly: 0,
    });
    expect(await erase(['--call', String(foreign.callId), '--call', 'nonsense', '--yes'])).toMatchObject({
      outcome: 'nobody',
      unknown: [String(foreign.callId), 'nonsense'],
    });
  });
});
