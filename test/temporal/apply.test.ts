import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { applyTemporalPlan } from '../../src/temporal/apply.ts';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/connection.ts';
import { temporalTestClient } from '../support/temporal.ts';

const plan = readTemporalPlan();
let temporal: TemporalClient;

beforeAll(() => {
  temporal = temporalTestClient(`parlance-apply-${randomUUID().slice(0, 8)}`);
});

afterAll(async () => {
  await temporal.close();
});

describe('the declaration applied to a namespace', () => {
  test('creates missing parts, reports them, and changes nothing the second time', async () => {
    const first = await applyTemporalPlan({ temporal, plan });
    expect(first[0]).toBe(`Namespace ${temporal.namespace} registered, retention 7 days`);
    expect(first).toContain('Search attribute Disposition (Keyword) added');
    expect(first).toHaveLength(1 + Object.keys(plan.searchAttributes).length);
    expect(await applyTemporalPlan({ temporal, plan })).toEqual([]);
  });

  test('two processes that apply it at once both succeed', async () => {
    const fresh = temporalTestClient(`parlance-apply-${randomUUID().slice(0, 8)}`);
    try {
      await Promise.all([
        applyTemporalPlan({ temporal: fresh, plan }),
        applyTemporalPlan({ temporal: fresh, plan }),
      ]);
      expect(await applyTemporalPlan({ temporal: fresh, plan })).toEqual([]);
    } finally {
      await fresh.close();
    }
  });

  test('a different retention is corrected', async () => {
    const changes = await applyTemporalPlan({
      temporal,
      plan: { ...plan, namespace: { ...plan.namespace, retentionDays: 9 } },
    });
    expect(changes).toEqual([`Retention of namespace ${temporal.namespace} set to 9 days`]);
  });

  test('an attribute with another type is refused with both types and the remedy', async () => {
    const wrong = { ...plan, searchAttributes: { ...plan.searchAttributes, TurnCount: 'Keyword' as const } };
    await expect(applyTemporalPlan({ temporal, plan: wrong })).rejects.toMatchObject({
      code: 'precondition',
      message: expect.stringMatching(
        /TurnCount is Int in the namespace and Keyword in temporal\.yaml.*remove the attribute/,
      ),
    });
  });

  test('an unavailable Temporal is reported within seconds', async () => {
    const away = createTemporalClient({ address: '127.0.0.1:1', namespace: 'parlance' });
    try {
      const begun = Date.now();
      await expect(applyTemporalPlan({ temporal: away, plan })).rejects.toMatchObject({
        code: 'unavailable',
        dependency: 'temporal',
      });
      expect(Date.now() - begun).toBeLessThan(6000);
    } finally {
      await away.close();
    }
  });
});
