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
import type { Field } from '../../src/domain/graph/fields.ts';
import { nodeKinds } from '../../src/domain/graph/node-kinds.ts';
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
  /** Another vendor, if the vendor's name decides where the secret goes, and not an address. */
  otherVendor?: string;
}

const vendor = 'openai';

/** Replaces the address, or the vendor, in everything that the API showed. */
const moved = (shown: unknown, to: string): unknown =>
  JSON.parse(
    to.startsWith('http')
      ? JSON.stringify(shown).replaceAll(JSON.stringify(home), JSON.stringify(to))
      : JSON.stringify(shown).replaceAll(`"provider":"${vendor}"`, `"provider":"${to}"`),
  );

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
  const voice = (provider: string) => ({ provider, api_key: secret });
  const otherVendors = { tts: 'google', stt: 'telnyx' };

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
    ...(['tts', 'stt'] as const).flatMap((service) =>
      [
        models(service, (name) => ({ llm: ownKey, [service]: voice(name) })),
        older(service, (name) => ({ llm: ownKey, [service]: voice(name) })),
        settings(`model_overrides.${service}`, (name) => ({ model_overrides: { [service]: voice(name) } })),
        settings(`${service} of model_configuration_v2_override`, (name) => ({
          model_configuration_v2_override: modelsOf({ llm: ownKey, [service]: voice(name) }),
        })),
      ].map((route) => ({ ...route, otherVendor: otherVendors[service] })),
    ),
    {
      name: 'PUT /organizations/telephony-configs/{telephony_configuration_id}, Asterisk',
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

  describe.each(routes)('$name', ({ name, store, sendBack, otherVendor }) => {
    const [own, others] = otherVendor === undefined ? [home, elsewhere] : [vendor, [otherVendor]];
    beforeAll(async () => {
      key = (await createTenant(database.db)).key;
    });

    // guarantee: masked-secret-bound-to-address
    test.each(others)('never goes to %s', async (address) => {
      const { status, body } = await store(own);
      expect({ status, body }).toMatchObject({ status: 200 });
      expect(JSON.stringify(body)).not.toContain('carried-out');
      const answer = await sendBack(body, address);
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 422 });
      expect(JSON.stringify(answer.body)).toMatch(/in full|needs an address|not a URL|no API key/);
    });

    const same = otherVendor !== undefined || wholeAddress.test(name) ? [] : samePlace;
    test.each([own, ...same])('is kept for %s', async (address) => {
      const { body } = await store(own);
      const answer = await sendBack(body, address);
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    });
  });

  const isInTable = (words: string) => routes.some(({ name }) => name.includes(words));

  test('every carrier field that is an address is in the table', () => {
    const addresses = Object.entries(carriers).flatMap(([carrier, { fields }]) =>
      Object.entries(fields).flatMap(([field, { placeholder }]) =>
        /^https?:/.test(placeholder ?? '') ? [`${carrier}.${field}`] : [],
      ),
    );
    expect(addresses).toEqual(['ari.ari_endpoint']);
  });

  test('every node kind with a secret and an address is in the table', () => {
    const kinds = Object.entries(nodeKinds).flatMap(([kind, { fields }]) => {
      const all = Object.values<Field>(fields);
      return all.some((field) => field.addressee) && all.some((field) => field.secret) ? [kind] : [];
    });
    // The headers of a webhook are secrets by their names.
    expect(kinds).toEqual(['qa']);
    expect([isInTable('QA node'), isInTable('webhook node')]).toEqual([true, true]);
  });

  /** Routes whose body has a place for a secret, and which give none back for a mask. */
  const takesNoMask = {
    'makes an object, which has no stored secret': [
      'POST /workflow/create/definition',
      'POST /organizations/telephony-configs',
      'POST /credentials/',
      'POST /tools/',
    ],
    'is sent whole, because it is never shown': ['PUT /credentials/{credential_uuid}'],
    'stores and sends nothing': ['POST /workflow/validate'],
    'takes what proves who asks': [
      'POST /auth/signup',
      'POST /auth/login',
      'POST /auth/second-factor',
      'POST /auth/second-factor/off',
      'POST /auth/sign-in-link',
      'POST /auth/password',
      'POST /auth/password-link',
      'POST /auth/password-link/use',
      'POST /auth/invitation',
      'POST /auth/invitation/accept',
      'POST /user/invitations/accept',
    ],
  };

  test('every route whose body has a place for a secret is in the table with each part, or takes no mask', async () => {
    const { body: description } = await api.send({}, 'GET', '/openapi.json');
    const found = Object.entries(Object(at(description, 'paths'))).flatMap(([path, operations]) =>
      Object.entries(Object(operations)).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
        places: placesIn(at(operation, 'requestBody', 'content', 'application/json', 'schema'), description),
      })),
    );
    const withPlaces = found.filter(({ places }) => places.length > 0);
    const exempt = Object.values(takesNoMask).flat();
    const isListed = (route: string, place: string) =>
      isInTable(modelParts.includes(place) ? `${route}, ${place}` : `${route}, `);
    expect(
      withPlaces
        .filter(
          ({ route, places }) => !exempt.includes(route) && !places.every((place) => isListed(route, place)),
        )
        .map(({ route, places }) => `${route}: ${places.join()}`),
    ).toEqual([]);
    const known = withPlaces.map(({ route }) => route);
    expect(exempt.filter((route) => !known.includes(route))).toEqual([]);
    expect(routes.filter(({ name }) => !known.includes(name.split(',')[0] ?? ''))).toEqual([]);
  });
});

const modelParts = ['llm', 'tts', 'stt', 'embeddings'];
const documents = ['workflow_definition', 'workflow_configurations', ...modelParts];
const secretName = /(?:^|_)(?:api_key|secret|token|password|headers|credential_data)$/;

/** The names of the places for secrets in a described body. */
function placesIn(schema: unknown, description: unknown, seen: readonly unknown[] = []): string[] {
  const ref = at(schema, '$ref');
  const whole =
    typeof ref === 'string' ? at(description, 'components', 'schemas', ref.split('/').at(-1) ?? '') : schema;
  if (whole === undefined || seen.includes(whole)) return [];
  const inside = (part: unknown) => placesIn(part, description, [...seen, whole]);
  const places = Object.entries(Object(at(whole, 'properties'))).flatMap(([name, part]) =>
    documents.includes(name) || secretName.test(name) ? [name] : inside(part),
  );
  const others = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => Object.values(Object(at(whole, key))));
  return [...new Set([...places, ...[...others, at(whole, 'items')].flatMap(inside)])];
}
