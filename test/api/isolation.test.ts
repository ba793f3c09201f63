import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fullPath } from '../../src/contract/paths.ts';
import { webhookEndpointSwitches } from '../../src/db/tables/webhook-endpoint-switches.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { idAt, createTenant, startApi, triggeredGraph, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestContext, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertDelivery } from '../support/delivery-rows.ts';
import { createFakeCarrier, insertConnection } from '../support/telephony.ts';

/** The owner's agent is the first one of its database. */
const firstAgentId = 1;

/** What a stranger sends to each route: everything about it is right except whose things it names. */
const requests: Record<RouteName, { body?: unknown; stranger: 'not_found' | 'forbidden' | 'sees_nothing' | 'own' | 'public' }> = {
  createWorkflow: { body: { name: 'own', workflow_definition: {} }, stranger: 'sees_nothing' },
  listWorkflows: { stranger: 'sees_nothing' },
  getWorkflow: { stranger: 'not_found' },
  updateWorkflow: { body: { name: 'taken over', workflow_definition: {} }, stranger: 'not_found' },
  publishWorkflow: { stranger: 'not_found' },
  createWorkflowDraft: { stranger: 'not_found' },
  listWorkflowVersions: { stranger: 'not_found' },
  validateWorkflow: { stranger: 'not_found' },
  countWorkflows: { stranger: 'sees_nothing' },
  summarizeWorkflows: { stranger: 'sees_nothing' },
  changeWorkflowStatus: { body: { status: 'archived' }, stranger: 'not_found' },
  duplicateWorkflow: { stranger: 'not_found' },
  moveWorkflowToFolder: { body: { folder_id: null }, stranger: 'not_found' },
  discardWorkflowDraft: { stranger: 'not_found' },
  restoreWorkflowVersion: { stranger: 'not_found' },
  downloadWorkflowReport: { stranger: 'not_found' },
  listFolders: { stranger: 'sees_nothing' },
  createFolder: { body: { name: 'own' }, stranger: 'sees_nothing' },
  renameFolder: { body: { name: 'taken over' }, stranger: 'not_found' },
  deleteFolder: { stranger: 'not_found' },
  createTextSession: { body: {}, stranger: 'not_found' },
  getTextSession: { stranger: 'not_found' },
  sendTextMessage: { body: { text: 'hello' }, stranger: 'not_found' },
  rewindTextSession: { body: {}, stranger: 'not_found' },
  endTextSession: { body: {}, stranger: 'not_found' },
  listRuns: { stranger: 'sees_nothing' },
  createRun: { body: { mode: 'web', name: 'own' }, stranger: 'not_found' },
  getRun: { stranger: 'not_found' },
  callByPathTest: { body: { phone_number: '491511234567' }, stranger: 'forbidden' },
  callByPath: { body: { phone_number: '491511234567' }, stranger: 'forbidden' },
  callByAgentTest: { body: { phone_number: '491511234567' }, stranger: 'not_found' },
  callByAgent: { body: { phone_number: '491511234567' }, stranger: 'not_found' },
  initiateCall: { body: { workflow_id: firstAgentId, phone_number: '491511234567' }, stranger: 'not_found' },
  downloadArtifact: { stranger: 'public' },
  readPublicFile: { stranger: 'public' },
  listNodeTypes: { stranger: 'sees_nothing' },
  getNodeType: { stranger: 'sees_nothing' },
  listDocuments: { stranger: 'sees_nothing' },
  listRecordings: { stranger: 'sees_nothing' },
  getOrganizationContext: { stranger: 'sees_nothing' },
  getPreferences: { stranger: 'sees_nothing' },
  updatePreferences: { body: { timezone: 'Europe/Berlin' }, stranger: 'sees_nothing' },
  listDispositionCodes: { stranger: 'sees_nothing' },
  getConfigurationDefaults: { stranger: 'sees_nothing' },
  listCredentials: { stranger: 'sees_nothing' },
  createCredential: { body: { name: 'CRM', credential_type: 'none', credential_data: {} }, stranger: 'sees_nothing' },
  getCredential: { stranger: 'not_found' },
  updateCredential: { body: { name: 'taken over' }, stranger: 'not_found' },
  deleteCredential: { stranger: 'not_found' },
  listTools: { stranger: 'sees_nothing' },
  createTool: { body: { name: 'own', definition: { type: 'calculator' } }, stranger: 'sees_nothing' },
  getTool: { stranger: 'not_found' },
  updateTool: { body: { name: 'taken over' }, stranger: 'not_found' },
  archiveTool: { stranger: 'not_found' },
  unarchiveTool: { stranger: 'not_found' },
  testTool: { body: {}, stranger: 'not_found' },
  listWebhookSecrets: { stranger: 'sees_nothing' },
  createWebhookSecret: { stranger: 'sees_nothing' },
  retireWebhookSecret: { stranger: 'not_found' },
  listWebhookDeliveries: { stranger: 'sees_nothing' },
  getWebhookDelivery: { stranger: 'not_found' },
  resendWebhookDeliveries: { body: { state: 'pending' }, stranger: 'sees_nothing' },
  resendWebhookDelivery: { stranger: 'not_found' },
  listSwitchedOffEndpoints: { stranger: 'sees_nothing' },
  turnOnWebhookEndpoint: { stranger: 'not_found' },
  getRetention: { stranger: 'sees_nothing' },
  setRetention: { body: { transcript_days: 30 }, stranger: 'sees_nothing' },
  signUp: { stranger: 'public' },
  logIn: { stranger: 'public' },
  logOut: { stranger: 'own' },
  getMe: { stranger: 'sees_nothing' },
  getAuthUser: { stranger: 'sees_nothing' },
  getOnboardingState: { stranger: 'sees_nothing' },
  updateOnboardingState: { body: { skipped: true }, stranger: 'sees_nothing' },
  listApiKeys: { stranger: 'sees_nothing' },
  createApiKey: { body: { name: 'own' }, stranger: 'sees_nothing' },
  archiveApiKey: { stranger: 'not_found' },
  reactivateApiKey: { stranger: 'not_found' },
  rotateApiKey: { body: {}, stranger: 'not_found' },
  getHealth: { stranger: 'public' },
  getActiveCalls: { stranger: 'public' },
  getAutoscaleMetric: { stranger: 'public' },
  getDescription: { stranger: 'public' },
  getLiveness: { stranger: 'public' },
  getReadiness: { stranger: 'public' },
};

let database: TestDatabase;
let api: ApiUnderTest;
let owner: string;
let stranger: string;
let ids: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  api = await startApi(database.db, { carriers: new Map([['telnyx', createFakeCarrier()]]) });
  const tenant = await createTenant(database.db);
  owner = tenant.key;
  const other = await createTenant(database.db);
  stranger = other.key;
  for (const { organizationId } of [tenant, other]) await insertConnection(database.db, organizationId);
  const agent = await api.ask(owner, 'POST', '/workflow/create/definition', { name: 'mine', workflow_definition: triggeredGraph('mine-by-trigger') });
  const agentId = idAt(agent.body, 'id');
  if (agentId !== String(firstAgentId)) throw new Error(`the owner's agent is ${agentId}`);
  await api.ask(owner, 'POST', `/workflow/${agentId}/create-draft`);
  const folder = await api.ask(owner, 'POST', '/folder/', { name: 'mine as well' });
  const session = await api.ask(owner, 'POST', `/workflow/${agentId}/text-chat/sessions`, {});
  const credential = await api.ask(owner, 'POST', '/credentials/', { name: 'CRM', credential_type: 'bearer_token', credential_data: { token: 't' } });
  const tool = await api.ask(owner, 'POST', '/tools/', { name: 'mine too', definition: { type: 'calculator' } });
  const secrets = await api.ask(owner, 'GET', '/organizations/webhook-secrets');
  const apiKey = await api.ask(owner, 'POST', '/user/api-keys', { name: 'mine to rotate' });
  const delivery = await insertDelivery({ ...(await createTestContext(database.db)), organizationId: tenant.organizationId }, { callId: Number(idAt(session.body, 'workflow_run_id')), agentId: Number(agentId) });
  const endpointKey = '0'.repeat(32);
  await database.db.getRepository(webhookEndpointSwitches).insert({ organizationId: tenant.organizationId, endpointKey, agentId: delivery.agentId, nodeId: delivery.nodeId, url: delivery.url, deliveryId: delivery.id, switchedOffAt: new Date(), turnedOnAt: null });
  ids = { name: 'qa', trigger_path: 'mine-by-trigger', workflow_uuid: idAt(agent.body, 'workflow_uuid'), api_key_id: idAt(apiKey.body, 'id'), version_number: '1', folder_id: idAt(folder.body, 'id'), endpoint_id: endpointKey, tool_uuid: idAt(tool.body, 'tool_uuid'), delivery_uuid: delivery.uuid, secret_id: idAt(secrets.body, 0, 'id'), workflow_id: agentId, run_id: idAt(session.body, 'workflow_run_id'), credential_uuid: idAt(credential.body, 'uuid') };
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const names = Object.keys(requests).filter((name): name is RouteName => Object.hasOwn(routes, name));
const pathOf = (name: RouteName) => fullPath(routes[name]).replace('/api/v1', '').replaceAll(/\{(\w+)\}/g, (_all, key: string) => ids[key] ?? 'unknown');
const send = (key: string, name: RouteName) => api.ask(key, routes[name].method.toUpperCase(), pathOf(name), requests[name].body);
const ownersView = async () => JSON.stringify(await Promise.all((['getWorkflow', 'listWorkflows', 'listFolders', 'listWorkflowVersions', 'getTextSession', 'listRuns', 'getRun', 'getCredential', 'getTool', 'listWebhookSecrets', 'getWebhookDelivery', 'listSwitchedOffEndpoints'] as const).map(async (name) => (await send(owner, name)).body)));

describe('what belongs to one organization does not exist for another', () => {
  test.each(names.filter((name) => requests[name].stranger === 'not_found'))('%s answers a stranger 404 and changes nothing', async (name) => {
    const before = await ownersView();
    expect((await send(stranger, name)).status).toBe(404);
    expect(await ownersView()).toBe(before);
  });

  const integers = ['workflow_id', 'run_id', 'folder_id', 'version_number'];
  const places = names.filter((name) => requests[name].stranger === 'not_found').flatMap((name) => integers.filter((key) => fullPath(routes[name]).includes(`{${key}}`)).map((key) => [name, key] as const));
  test.each(places)('%s answers its owner 404 for a %s that cannot be', async (name, key) => {
    for (const value of ['0', '-1', '9007199254740993', '9'.repeat(400)]) {
      const path = fullPath(routes[name]).replace('/api/v1', '').replace(`{${key}}`, value).replaceAll(/\{(\w+)\}/g, (_all, each: string) => ids[each] ?? 'unknown');
      expect((await api.ask(owner, routes[name].method.toUpperCase(), path, requests[name].body)).status).toBe(404);
    }
  });

  test.each(names.filter((name) => requests[name].stranger === 'forbidden'))('%s answers a stranger 403 and begins nothing', async (name) => {
    const before = await ownersView();
    expect(await send(stranger, name)).toMatchObject({ status: 403, body: { detail: 'Access denied' } });
    expect(await ownersView()).toBe(before);
  });

  test.each(names.filter((name) => requests[name].stranger === 'sees_nothing'))('%s shows a stranger nothing of the owner', async (name) => {
    const answer = await send(stranger, name);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain('mine');
    expect(JSON.stringify(answer.body)).not.toContain(ids['credential_uuid']);
    expect(JSON.stringify(answer.body)).not.toContain(ids['tool_uuid']);
    expect(JSON.stringify(answer.body)).not.toContain(ids['secret_id']);
    expect(JSON.stringify(answer.body)).not.toContain(ids['delivery_uuid']);
  });

  test.each(names.filter((name) => routes[name].auth === 'key'))('%s asks for credentials', async (name) => {
    expect((await api.ask(null, routes[name].method.toUpperCase(), pathOf(name), requests[name].body)).status).toBe(401);
  });

  test.each(names.filter((name) => routes[name].auth === 'key_header'))('%s asks for a key, as a field of the request', async (name) => {
    expect(await api.ask(null, 'POST', pathOf(name), requests[name].body)).toMatchObject({ status: 422, body: { detail: [{ type: 'missing', loc: ['header', 'X-API-Key'] }] } });
  });

  test('only routes that the contract leaves open are open (contract 0.5)', () => {
    expect(names.filter((name) => routes[name].auth === 'none')).toEqual(names.filter((name) => requests[name].stranger === 'public'));
  });
});
