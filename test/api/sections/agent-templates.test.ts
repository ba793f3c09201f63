import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../../src/db/tables/audit-events.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';

describe.each(databases)('templates over HTTP on %s (contract 1.4)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  beforeEach(async () => {
    ({ key, organizationId } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const list = async (): Promise<unknown[]> =>
    [(await api.ask(null, 'GET', '/workflow/templates')).body].flat();
  const copy = (templateId: unknown, name = 'Mine') =>
    api.ask(key, 'POST', '/workflow/templates/duplicate', { template_id: templateId, workflow_name: name });
  const withoutPaths = (graph: unknown): unknown =>
    JSON.parse(
      JSON.stringify(graph, (name, value: unknown) => (name === 'trigger_path' ? undefined : value)),
    );
  const triggerPath = (record: unknown) =>
    [at(record, 'workflow_definition', 'nodes')]
      .flat()
      .map((node) => at(node, 'data', 'trigger_path'))
      .find((path) => path !== undefined);

  test('the list needs no credentials and has the fields of the contract', async () => {
    const templates = await list();
    expect(templates.length).toBeGreaterThanOrEqual(6);
    for (const each of templates)
      expect(Object.keys(Object(each))).toEqual([
        'id',
        'template_name',
        'template_description',
        'template_json',
        'created_at',
        'caller_name',
        'tagline',
        'sample_replies',
      ]);
    expect(templates[0]).toMatchObject({
      caller_name: 'Bright Smile Dental',
      tagline: 'Will you come, or when else?',
      sample_replies: { opening: expect.arrayContaining(['Yes, this is Maria.']) },
    });
    expect(at(templates, 0, 'created_at')).toBe('2026-11-21T00:00:00.000000Z');
    expect(await api.ask('no such key', 'GET', '/workflow/templates')).toMatchObject({ status: 200 });
  });

  test('a copy of each is one published version with graph, settings and test values, is valid, and can be published again', async () => {
    for (const template of await list()) {
      const made = await copy(at(template, 'id'), 'Copy');
      expect(made).toMatchObject({
        status: 200,
        body: {
          name: 'Copy',
          version_number: 1,
          version_status: 'published',
          total_runs: 0,
          workflow_configurations: { max_call_duration: expect.any(Number) },
          template_context_variables: { company_name: expect.any(String) },
        },
      });
      expect(withoutPaths(at(made.body, 'workflow_definition'))).toEqual(at(template, 'template_json'));
      const path = `/workflow/${idAt(made.body, 'id')}`;
      expect(await api.ask(key, 'POST', `${path}/validate`)).toMatchObject({
        status: 200,
        body: { is_valid: true },
      });
      expect(await api.ask(key, 'GET', `/workflow/fetch/${idAt(made.body, 'id')}`)).toMatchObject({
        status: 200,
        body: made.body,
      });
      await api.ask(key, 'PUT', path, { workflow_definition: at(made.body, 'workflow_definition') });
      expect(await api.ask(key, 'POST', `${path}/publish`)).toMatchObject({
        status: 200,
        body: { version_number: 2 },
      });
    }
  });

  test('every copy has a different trigger path', async () => {
    const paths = [triggerPath((await copy(1)).body), triggerPath((await copy(1)).body)];
    for (const path of paths) expect(path).toMatch(/^[0-9a-f-]{36}$/);
    expect(paths[0]).not.toBe(paths[1]);
    expect(JSON.stringify(await list())).not.toContain('trigger_path');
  });

  test.each([0, 7777, -1, '2147483648'])('template %s does not exist', async (id) => {
    expect(await copy(id)).toMatchObject({
      status: 404,
      body: { detail: `Template with ID ${id} not found`, code: 'not_found' },
    });
    expect((await api.ask(key, 'GET', '/workflow/count')).body).toMatchObject({ total: 0 });
  });

  test('the path of this route does not match the copying of an agent called templates', async () => {
    expect(await api.ask(key, 'POST', '/workflow/templates/duplicate', {})).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'missing', loc: ['body', 'template_id'] },
          { type: 'missing', loc: ['body', 'workflow_name'] },
        ],
      },
    });
    expect((await api.ask(null, 'POST', '/workflow/templates/duplicate', {})).status).toBe(401);
  });

  test('a repeated request with its Idempotency-Key makes one agent; the audit log names the template', async () => {
    const send = () =>
      api.send(
        { 'x-api-key': key, 'idempotency-key': 'template-1' },
        'POST',
        '/workflow/templates/duplicate',
        { template_id: 3, workflow_name: 'Once' },
      );
    const first = await send();
    expect(await send()).toMatchObject({ status: 200, body: first.body });
    expect((await api.ask(key, 'GET', '/workflow/count')).body).toMatchObject({ total: 1 });
    expect(
      await database.db.getRepository(auditEvents).findBy({ organizationId, action: 'agent.created' }),
    ).toMatchObject([{ changes: { version: 1, template: 3 } }]);
  });
});
