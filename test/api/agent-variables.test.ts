import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { updateRows } from '../../src/db/rows.ts';
import { directories } from '../../src/db/tables/directories.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { insertCampaign, insertDirectory } from '../support/campaign-rows.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

const position = { x: 0, y: 0 };
const definition = {
  nodes: [
    {
      id: 's',
      type: 'startCall',
      position,
      data: {
        name: 'Start',
        prompt:
          'Greet {{first_name | there}}. It is {{current_time_Europe/Berlin}}. {{initial_context.order.day}}',
        greeting: 'Hello {{first_name}}, we call {{called_number}}',
        pre_call_fetch_mode: 'always',
        pre_call_fetch_url: 'https://shop.example.com/before',
      },
    },
    {
      id: 'e',
      type: 'endCall',
      position,
      data: {
        name: 'End',
        prompt: 'Say goodbye',
        extraction_enabled: true,
        extraction_variables: [{ name: 'day', type: 'string', prompt: 'the day for {{City}}' }],
      },
    },
    {
      id: 'w',
      type: 'webhook',
      position,
      data: {
        name: 'Hook',
        endpoint_url: 'https://shop.example.com/after',
        payload_template: {
          day: '{{gathered_context.day}}',
          who: '{{initial_context.first_name}}',
          at: '{{call_time}}',
        },
      },
    },
  ],
  edges: [
    {
      id: 's-e',
      source: 's',
      target: 'e',
      data: { label: 'Bye', condition: 'over', transition_speech: 'Bye {{first_name}}' },
    },
  ],
};

describe.each(databases)('the variables of an agent on %s (contract 1.6)', (kind) => {
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

  test('each names its uses, its default and where its value may come from', async () => {
    const { key, organizationId } = await createTenant(database.db);
    const id = idAt(
      (
        await api.ask(key, 'POST', '/workflow/create/definition', {
          name: 'Desk',
          workflow_definition: definition,
        })
      ).body,
      'id',
    );
    await api.ask(key, 'PUT', `/workflow/${id}`, {
      template_context_variables: { first_name: 'Ada', spare: 1 },
    });
    const directory = await insertDirectory(database.db, organizationId, {
      columns: ['Tel', 'Number', 'City'],
    });
    await updateRows(database.db.manager, directories, {
      where: { id: directory.id, organizationId },
      change: { mapping: { ...directory.mapping, phone: 'Tel', identifier: 'Number' } },
    });
    await insertCampaign(database.db, directory, { agentId: Number(id) });
    const answer = await api.ask(key, 'GET', `/workflow/${id}/variables`);
    const variables = at(answer.body, 'variables');
    const shown = (Array.isArray(variables) ? variables : []).map((variable: unknown) => [
      `${String(at(variable, 'scope'))} ${String(at(variable, 'name'))}`,
      at(variable, 'default'),
      listed(at(variable, 'uses'), ['id', 'field', 'has_default']),
      listed(at(variable, 'sources'), ['type', 'node_id', 'directory_id', 'column']),
    ]);
    const file = (column: string) => `file  ${directory.id} ${column}`;
    const usual = ['trigger   ', 'pre_call_fetch s  '];
    expect(shown).toEqual([
      [
        'initial_context first_name',
        'there',
        [
          's prompt true',
          's greeting false',
          'w payload_template.who false',
          's-e data.transition_speech false',
        ],
        ['test_value   ', ...usual],
      ],
      ['initial_context current_time_Europe/Berlin', null, ['s prompt false'], ['time   ']],
      ['initial_context order', null, ['s prompt false'], usual],
      ['initial_context called_number', null, ['s greeting false'], ['telephony   ']],
      ['initial_context City', null, ['e extraction_variables.0.prompt false'], [file('City'), ...usual]],
      ['gathered_context day', null, ['w payload_template.day false'], ['extraction e  ']],
      ['call call_time', null, ['w payload_template.at false'], ['call   ']],
      ['initial_context spare', null, [], ['test_value   ', ...usual]],
      ['initial_context city', null, [], [file('City'), ...usual]],
      ['initial_context ext_customer_id', null, [], [file('Number'), 'service   ']],
      ['initial_context phone_number', null, [], [file('Tel'), 'telephony   ']],
    ]);
    const stranger = await createTenant(database.db);
    expect((await api.ask(stranger.key, 'GET', `/workflow/${id}/variables`)).status).toBe(404);
  });

  const shownText = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  const listed = (items: unknown, keys: string[]): string[] =>
    (Array.isArray(items) ? items : []).map((item: unknown) =>
      keys.map((key) => shownText(at(item, key))).join(' '),
    );
});
