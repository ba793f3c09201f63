import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { carriers } from '../../src/contract/data/carriers.ts';
import {
  at,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
  type Asked,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { edge, node } from '../support/definitions.ts';

type Item = Record<string, unknown>;

const secret = 'Bearer carried-out-1234';
const home = 'https://home.example/hooks';
/** Each differs from `home` in scheme, host or port. */
const elsewhere = [
  'https://thief.example/hooks',
  'http://home.example/hooks',
  'https://home.example:8443/hooks',
  'https://home.example.thief.example/hooks',
  'https://home.example@thief.example/hooks',
  'https://{{host}}/hooks',
  'https://home.example{{rest}}/hooks',
];
const samePlace = ['https://home.example/other?of=it', 'https://HOME.example:443/hooks'];

/** A stored secret, and the route that takes its mask back together with an address. */
interface Route {
  name: string;
  /** Stores the secret for an address; answers what the API then shows. */
  store: (address: string) => Promise<Asked>;
  /** Sends back what the API showed, with the address changed. */
  sendBack: (shown: unknown, address: string) => Promise<Asked>;
}

/** Replaces the address in everything that the API showed. */
const moved = (shown: unknown, address: string): unknown =>
  JSON.parse(JSON.stringify(shown).replaceAll(JSON.stringify(home), JSON.stringify(address)));

const graphWith = (extra: unknown) => ({
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'Greet.' }),
    node('end', 'endCall', { name: 'End', prompt: 'Bye.' }),
    extra,
  ],
  edges: [edge('e', 'start', 'end', 'bye')],
});

describe.each(databases)('a masked secret that is sent back on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);

  const tool = (name: string, definition: (address: string) => Item): Route => ({
    name: `PUT /tools/{tool_uuid}, ${name}`,
    store: (address) => ask('POST', '/tools/', { name: 'Tool', definition: definition(address) }),
    sendBack: (shown, address) =>
      ask('PUT', `/tools/${idAt(shown, 'tool_uuid')}`, {
        definition: moved(at(shown, 'definition'), address),
      }),
  });
  const graph = (name: string, extra: (address: string) => unknown): Route => ({
    name: `PUT /workflow/{workflow_id}, ${name}`,
    store: (address) =>
      ask('POST', '/workflow/create/definition', {
        name: 'Agent',
        workflow_definition: graphWith(extra(address)),
      }),
    sendBack: (shown, address) =>
      ask('PUT', `/workflow/${idAt(shown, 'id')}`, {
        workflow_definition: moved(at(shown, 'workflow_definition'), address),
      }),
  });
  const settings = (name: string, part: (address: string) => Item): Route => ({
    name: `PUT /workflow/{workflow_id}, ${name}`,
    store: async (address) => {
      const made = await ask('POST', '/workflow/create/definition', {
        name: 'Agent',
        workflow_definition: { nodes: [], edges: [] },
      });
      return await ask('PUT', `/workflow/${idAt(made.body, 'id')}`, {
        workflow_configurations: part(address),
      });
    },
    sendBack: (shown, address) =>
      ask('PUT', `/workflow/${idAt(shown, 'id')}`, {
        workflow_configurations: moved(at(shown, 'workflow_configurations'), address),
      }),
  });
  const models = (name: string, pipeline: (address: string) => Item): Route => ({
    name: `PUT /organizations/model-configurations/v2, ${name}`,
    store: (address) => ask('PUT', '/organizations/model-configurations/v2', modelsOf(pipeline(address))),
    sendBack: (shown, address) =>
      ask('PUT', '/organizations/model-configurations/v2', moved(at(shown, 'configuration'), address)),
  });
  const older = (name: string, parts: (address: string) => Item): Route => ({
    name: `PUT /user/configurations/user, ${name}`,
    store: (address) => ask('PUT', '/user/configurations/user', parts(address)),
    sendBack: (shown, address) => {
      const part = name.split('.')[0] ?? '';
      return ask('PUT', '/user/configurations/user', { [part]: moved(at(shown, part), address) });
    },
  });
  const modelsOf = (pipeline: Item) => ({ version: 2, mode: 'byok', byok: { mode: 'pipeline', pipeline } });
  const llm = (address: string) => ({ provider: 'openai', model: 'm', api_key: secret, base_url: address });
  const ownKey = { provider: 'groq', model: 'm', api_key: 'other' };

  const routes: Route[] = [
    tool('header of an http_api tool', (url) => ({
      type: 'http_api',
      config: { method: 'POST', url, headers: { Authorization: secret } },
    })),
    tool('header of the resolver of a transfer', (url) => ({
      type: 'transfer_call',
      config: { destination_source: 'dynamic', resolver: { url, headers: { 'X-Api-Key': secret } } },
    })),
    graph('header of a webhook node', (endpoint_url) =>
      node('hook', 'webhook', {
        name: 'Hook',
        endpoint_url,
        custom_headers: [{ key: 'Authorization', value: secret }],
      }),
    ),
    graph('key of a QA node', (qa_endpoint) =>
      node('qa', 'qa', { name: 'QA', qa_provider: 'azure', qa_endpoint, qa_api_key: secret }),
    ),
    settings('model_overrides.llm', (address) => ({ model_overrides: { llm: llm(address) } })),
    settings('model_configuration_v2_override', (address) => ({
      model_configuration_v2_override: modelsOf({ llm: llm(address) }),
    })),
    settings('voicemail_detection', (address) => ({
      voicemail_detection: { enabled: true, ...llm(address) },
    })),
    models('llm', (address) => ({ llm: llm(address) })),
    models('embeddings', (address) => ({ llm: ownKey, embeddings: llm(address) })),
    older('llm', (address) => ({ llm: llm(address) })),
    older('embeddings', (address) => ({ llm: ownKey, embeddings: llm(address) })),
    {
      name: 'PUT /organizations/telephony-configs/{config_id}, Asterisk',
      store: (ari_endpoint) =>
        ask('POST', '/organizations/telephony-configs', {
          name: `PBX ${Math.random()}`,
          config: { provider: 'ari', ari_endpoint, app_name: 'a', app_password: secret },
        }),
      sendBack: (shown, address) =>
        ask('PUT', `/organizations/telephony-configs/${idAt(shown, 'id')}`, {
          config: { provider: 'ari', ...Object(moved(at(shown, 'credentials'), address)) },
        }),
    },
  ];
  /** Routes that compare the address of a model with its path. */
  const wholeAddress = /llm|model_configuration_v2_override/;

  describe.each(routes)('$name', ({ name, store, sendBack }) => {
    beforeAll(async () => {
      key = (await createTenant(database.db)).key;
    });

    test.each(elsewhere)('never goes to %s', async (address) => {
      const { status, body } = await store(home);
      expect({ status, body }).toMatchObject({ status: 200 });
      expect(JSON.stringify(body)).not.toContain('carried-out');
      const answer = await sendBack(body, address);
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 422 });
      expect(JSON.stringify(answer.body)).toMatch(/in full|needs an address|not a URL|no API key/);
    });

    test.each(wholeAddress.test(name) ? [home] : [home, ...samePlace])('is kept for %s', async (address) => {
      const { body } = await store(home);
      const answer = await sendBack(body, address);
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    });
  });

  test('every carrier field that is an address is in the table', () => {
    const addresses = Object.entries(carriers).flatMap(([carrier, { fields }]) =>
      Object.entries(fields).flatMap(([field, { placeholder }]) =>
        /^https?:/.test(placeholder ?? '') ? [`${carrier}.${field}`] : [],
      ),
    );
    expect(addresses).toEqual(['ari.ari_endpoint']);
  });
});
