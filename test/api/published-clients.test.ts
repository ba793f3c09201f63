import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { agentTemplates } from '../../src/domain/agent-templates/templates.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { publishedClients } from '../support/services.ts';

const run = promisify(execFile);
const programs = join(import.meta.dirname, '../support/published-clients');

/** Runs a program of a customer in that language, as in the customer's project. */
const customers = {
  npm: async (env: Record<string, string>) => {
    const project = await mkdtemp(join(tmpdir(), 'customer-'));
    try {
      await symlink(join(publishedClients().node, 'node_modules'), join(project, 'node_modules'));
      await copyFile(join(programs, 'customer.mjs'), join(project, 'customer.mjs'));
      return await run(process.execPath, ['customer.mjs'], { cwd: project, env, timeout: 25_000 });
    } finally {
      await rm(project, { recursive: true });
    }
  },
  PyPI: (env: Record<string, string>) =>
    run(publishedClients().python, ['-I', join(programs, 'customer.py')], { env, timeout: 25_000 }),
};

describe.each(databases)('the published clients on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  // guarantee: published-clients-work
  test.each(['npm', 'PyPI'] as const)(
    'the %s client builds an agent with its typed builder, creates, loads, saves and lists it, loads a copy of every template, and reports errors',
    async (source) => {
      const { key } = await createTenant(database.db);
      const { stdout, stderr } = await customers[source]({ DOGRAH_API_URL: api.url, DOGRAH_API_KEY: key });
      expect(stderr).toBe('');
      const printed: unknown = JSON.parse(stdout);
      const id = at(printed, 'id');
      expect(printed).toEqual({
        spec_version: expect.any(String),
        node_types: expect.arrayContaining([
          'startCall',
          'agentNode',
          'endCall',
          'globalNode',
          'webhook',
          'qa',
          'trigger',
          'tuner',
        ]),
        id: expect.any(Number),
        saved: [2, 'draft', 'Renamed by a client'],
        is_same: true,
        workflows: [[id, 'Renamed by a client']],
        tool: expect.any(String),
        tools: [at(printed, 'tool')],
        credentials: [],
        documents: [],
        recordings: [],
        call: [400, 'telephony_not_configured'],
        copies: agentTemplates.map(({ id }) => `Copy of ${id}`),
        unknown_type: 'SpecMismatchError',
        unknown_agent: 404,
      });

      const nodes = at(
        (await api.ask(key, 'GET', `/workflow/fetch/${String(id)}`)).body,
        'workflow_definition',
        'nodes',
      );
      expect(nodes).toMatchObject([
        { type: 'startCall', data: { prompt: 'Greet', greeting: 'Hello {{first_name}}' } },
        {
          type: 'agentNode',
          data: {
            prompt: 'Ask for a day',
            extraction_enabled: true,
            extraction_variables: [{ name: 'day', type: 'string', prompt: 'The day' }],
          },
        },
        { type: 'endCall', data: { prompt: 'Say goodbye' } },
        { type: 'globalNode', data: { prompt: 'You are kind.' } },
        {
          type: 'webhook',
          data: {
            endpoint_url: 'https://crm.example.com/in',
            custom_headers: [{ key: 'X-Source', value: 'call' }],
          },
        },
        { type: 'qa' },
        { type: 'trigger', data: { trigger_path: expect.any(String) } },
        {
          type: 'tuner',
          data: { tuner_agent_id: 'a', tuner_workspace_id: 3, tuner_api_key: '**********1234' },
        },
      ]);
    },
  );
});
