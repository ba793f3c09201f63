import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { triggerPaths } from '../../../src/db/tables/trigger-paths.ts';
import { own, ownObject, type Definition } from '../../../src/domain/graph/definition.ts';
import { createAgent, publishDraft, updateAgent } from '../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../support/database.ts';
import { node, threeStepDefinition } from '../../support/definitions.ts';

describe.each(databases)('trigger paths on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let stranger: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    stranger = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const withPath = (path?: unknown): Definition => {
    const plain = threeStepDefinition({ webhook: false });
    const nodes = plain['nodes'];
    return {
      ...plain,
      nodes: [
        ...(Array.isArray(nodes) ? nodes : []),
        node('trigger', 'trigger', {
          name: 'Trigger',
          ...(path === undefined ? {} : { trigger_path: path }),
        }),
      ],
    };
  };
  const without = (): Definition => threeStepDefinition({ webhook: false });
  const create = (path?: unknown, who = ctx) =>
    createAgent({ ctx: who, input: { name: 'Triggered', definition: withPath(path) } });
  const update = (agentId: number, definition: Definition) =>
    updateAgent({ ctx, input: { agentId, definition } });
  const owner = async (path: string) =>
    (await database.db.getRepository(triggerPaths).findOneBy({ path }))?.agentId;
  let count = 0;
  const freshPath = () => `path-${(count += 1)}`;

  test('a trigger without a path gets a new uuid, which the answer shows and no other agent can take', async () => {
    const agent = await create();
    const nodes: unknown = agent.workflow_definition['nodes'];
    const trigger = Array.isArray(nodes) ? Object(nodes.at(-1)) : {};
    const path = String(own(ownObject(trigger, 'data'), 'trigger_path'));
    expect(path).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await owner(path)).toBe(agent.id);
  });

  test('a path of another agent is 409 on create and on update, across organizations', async () => {
    const path = freshPath();
    await create(path);
    const taken = {
      status: 409,
      code: 'conflict',
      detail: { is_valid: false, errors: [{ kind: 'node', id: 'trigger', field: 'data.trigger_path' }] },
    };
    await expect(create(path, stranger)).rejects.toMatchObject(taken);
    const { id } = await create(freshPath());
    await expect(update(id, withPath(path))).rejects.toMatchObject(taken);
  });

  test('paths that differ only in case are different', async () => {
    const path = freshPath();
    const [one, two] = [await create(path), await create(path.toUpperCase())];
    expect([await owner(path), await owner(path.toUpperCase())]).toEqual([one.id, two.id]);
  });

  test.each([
    ['blank inside', 'a b'],
    ['not ASCII', 'é😀'],
    ['too long', 'x'.repeat(37)],
    ['far too long', 'é'.repeat(5000)],
    ['a number', 5],
    ['an object', {}],
    ['a slash', 'a/b'],
    ['a trailing space', 'abc '],
  ])('a path that is %s is 422 on create and on update', async (_what, path) => {
    const { id } = await create(freshPath());
    const malformed = {
      status: 422,
      detail: { is_valid: false, errors: [{ kind: 'node', id: 'trigger', field: 'data.trigger_path' }] },
    };
    await expect(create(path)).rejects.toMatchObject(malformed);
    await expect(update(id, withPath(path))).rejects.toMatchObject(malformed);
  });

  test('the published path stays reserved while a draft renames or removes the trigger, until publish', async () => {
    const [old, renamed] = [freshPath(), freshPath()];
    const { id } = await create(old);
    await update(id, withPath(renamed));
    expect([await owner(old), await owner(renamed)]).toEqual([id, id]);
    await update(id, without());
    expect([await owner(old), await owner(renamed)]).toEqual([id, undefined]);
    await publishDraft({ ctx, input: { agentId: id } });
    expect(await owner(old)).toBeUndefined();
    expect((await create(old, stranger)).version_number).toBe(1);
  });

  test("a draft may return to the agent's own published path", async () => {
    const path = freshPath();
    const { id } = await create(path);
    await update(id, without());
    expect(await update(id, withPath(path))).toMatchObject({ version_number: 3 });
  });

  test('when several agents take one path at the same time, one gets it and the others get a 409', async () => {
    const path = freshPath();
    const outcomes = await Promise.allSettled([
      create(path),
      create(path, stranger),
      create(path),
      create(path, stranger),
    ]);
    expect(outcomes.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    for (const each of outcomes.filter((outcome) => outcome.status === 'rejected'))
      expect(each.reason).toMatchObject({ status: 409, detail: { is_valid: false } });
  });
});
