import { fullPath } from '../../src/contract/paths.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';

/**
 * A valid request for every route, for tests of all routes. An object that a request names is a *slot*: the
 * test fills it with the caller's own, with another organization's, or with an unknown one. A new route needs
 * a line here: name every id in its path, query and body by a slot (`ids.…`). No server listens at the
 * addresses.
 */
export type Slots = Readonly<Record<string, string>>;

export interface RouteRequest {
  query?: Record<string, string>;
  body?: unknown;
}

const phone = { phone_number: '12025550123' };
const lines = (ids: Slots) => ({
  telephony_configuration_id: Number(ids['telephony_configuration_id']),
  from_phone_number_id: Number(ids['from_phone_number_id']),
});
const trigger = (ids: Slots) => ({ body: { ...phone, ...lines(ids) } });
/** No connection_id: it is the carrier's id, not one of ours. */
const walkedAccount = {
  provider: 'telnyx',
  api_key: 'walked-carrier-key',
  connection_id: null,
  application_id: null,
  domain_id: null,
  auth_id: null,
};
const empty = () => ({});
const today = () => new Date().toISOString().slice(0, 10);

const requests: Record<RouteName, (ids: Slots) => RouteRequest> = {
  createWorkflow: (ids) => ({ body: { name: 'walked', workflow_definition: referringGraph(ids) } }),
  listWorkflows: empty,
  listWorkflowOverviews: (ids) => ({ query: { folder_id: ids['folder_id'] ?? '' } }),
  countWorkflows: empty,
  summarizeWorkflows: empty,
  listWorkflowTemplates: empty,
  generateWorkflow: () => ({
    body: { call_type: 'inbound', use_case: 'walked', activity_description: 'walked' },
  }),
  duplicateWorkflowTemplate: () => ({ body: { template_id: 1, workflow_name: 'walked' } }),
  getWorkflow: empty,
  updateWorkflow: (ids) => ({ body: { name: 'walked', workflow_definition: referringGraph(ids) } }),
  publishWorkflow: empty,
  createWorkflowDraft: empty,
  listWorkflowVersions: empty,
  getWorkflowVersion: empty,
  validateWorkflow: empty,
  listWorkflowVariables: empty,
  validateDefinition: (ids) => ({ body: { workflow_definition: referringGraph(ids) } }),
  changeWorkflowStatus: () => ({ body: { status: 'archived' } }),
  duplicateWorkflow: empty,
  moveWorkflowToFolder: (ids) => ({ body: { folder_id: Number(ids['folder_id']) } }),
  discardWorkflowDraft: empty,
  restoreWorkflowVersion: empty,
  downloadWorkflowReport: empty,
  listFolders: empty,
  createFolder: () => ({ body: { name: 'walked' } }),
  renameFolder: () => ({ body: { name: 'walked again' } }),
  deleteFolder: empty,
  createTextSession: () => ({ body: { initial_context: { first_name: 'Ada' } } }),
  getTextSession: empty,
  sendTextMessage: () => ({ body: { text: 'hello' } }),
  rewindTextSession: (ids) => ({ body: { cursor_turn_id: ids['turn_uuid'] } }),
  endTextSession: () => ({ body: {} }),
  listRuns: empty,
  createRun: () => ({ body: { mode: 'web', name: 'walked' } }),
  getRun: empty,
  getLiveRun: empty,
  streamEvents: (ids) => ({ query: { topics: `call:${ids['run_id']}` } }),
  eraseRun: empty,
  judgeRun: () => ({ body: { version: 'published' } }),
  hangUpRun: () => ({ body: { politely: true } }),
  sayInRun: () => ({ body: { text: 'walked' } }),
  whisperInRun: () => ({ body: { text: 'walked' } }),
  moveRun: () => ({ body: { node_id: 'walked' } }),
  transferRun: () => ({ body: { to: '+12025550143' } }),
  pauseRun: empty,
  resumeRun: empty,
  callByPathTest: trigger,
  callByPath: trigger,
  callByAgentTest: trigger,
  callByAgent: trigger,
  initiateCall: (ids) => ({
    body: {
      ...phone,
      ...lines(ids),
      workflow_id: Number(ids['workflow_id']),
      workflow_run_id: Number(ids['ahead_run_id']),
    },
  }),
  listTelephonyProviders: empty,
  getTelephonyWarnings: empty,
  listTelephonyConfigurations: empty,
  createTelephonyConfiguration: () => ({ body: { name: 'walked', config: walkedAccount } }),
  getTelephonyConfiguration: empty,
  updateTelephonyConfiguration: () => ({ body: { name: 'walked again', config: walkedAccount } }),
  deleteTelephonyConfiguration: empty,
  setDefaultOutbound: empty,
  reactivateTelephonyConfiguration: empty,
  listTrunks: empty,
  listPhoneNumbers: empty,
  createPhoneNumber: (ids) => ({
    body: {
      address: '+12025550177',
      is_default_caller_id: true,
      inbound_workflow_id: Number(ids['workflow_id']),
      telephony_trunk_id: null,
    },
  }),
  getPhoneNumber: empty,
  updatePhoneNumber: (ids) => ({
    body: { label: 'walked', inbound_workflow_id: Number(ids['workflow_id']), telephony_trunk_id: null },
  }),
  deletePhoneNumber: empty,
  setDefaultCaller: empty,
  listCampaigns: empty,
  createCampaign: (ids) => ({
    body: {
      name: 'walked',
      workflow_id: Number(ids['workflow_id']),
      source_type: 'csv',
      source_id: ids['file_key'],
      telephony_configuration_id: Number(ids['telephony_configuration_id']),
      rules: { from_phone_number_ids: [Number(ids['from_phone_number_id'])] },
    },
  }),
  estimateCampaign: (ids) => ({
    body: {
      source_id: ids['file_key'],
      workflow_id: Number(ids['workflow_id']),
      telephony_configuration_id: Number(ids['telephony_configuration_id']),
      rules: { from_phone_number_ids: [Number(ids['from_phone_number_id'])] },
    },
  }),
  getCampaignDefaults: empty,
  getCampaign: empty,
  updateCampaign: (ids) => ({
    body: { name: 'walked again', rules: { from_phone_number_ids: [Number(ids['from_phone_number_id'])] } },
  }),
  startCampaign: empty,
  pauseCampaign: empty,
  resumeCampaign: empty,
  stopCampaign: () => ({ body: { mode: 'finish' } }),
  redialCampaign: () => ({ body: { name: 'walked' } }),
  getCampaignProgress: empty,
  getCampaignEstimate: empty,
  getCampaignActivity: empty,
  listCampaignRuns: empty,
  downloadCampaignReport: empty,
  getCampaignSource: empty,
  listCampaignRows: empty,
  getCampaignRow: empty,
  exportCampaign: empty,
  presignUpload: () => ({ body: { file_name: 'walked.csv', file_size: 1 } }),
  presignAmbientNoise: (ids) => ({
    body: { workflow_id: Number(ids['workflow_id']), filename: 'walked.wav', file_size: 1 },
  }),
  uploadFile: empty,
  signUrl: (ids) => ({ query: { key: `transcripts/${ids['run_id']}.txt` } }),
  createDownloadTicket: (ids) => ({ body: { path: `/campaign/${ids['campaign_id']}/export` } }),
  getFileMetadata: (ids) => ({ query: { key: `transcripts/${ids['run_id']}.txt` } }),
  downloadArtifact: empty,
  readPublicFile: empty,
  listSuppressions: empty,
  suppressNumbers: () => ({ body: { phone_numbers: ['+1 202 555 0188'], reason: 'walked' } }),
  importSuppressions: () => ({ query: { reason: 'walked' }, body: 'phone_number\n12025550189\n' }),
  exportSuppressions: empty,
  removeSuppression: () => ({ query: { reason: 'walked' } }),
  getDialPolicy: empty,
  setDialPolicy: () => ({ body: { starts_per_second: 2 } }),
  getDialing: empty,
  stopDialing: () => ({ body: { hang_up: 'all' } }),
  resumeDialing: empty,
  listUsageRuns: empty,
  downloadUsageReport: empty,
  getCurrentUsage: empty,
  getDailyUsage: empty,
  getCallReport: (ids) => ({
    query: {
      from: today(),
      to: today(),
      timezone: 'UTC',
      workflow_id: ids['workflow_id'] ?? '',
      campaign_id: ids['campaign_id'] ?? '',
    },
  }),
  getDailyReport: (ids) => ({
    query: { date: today(), timezone: 'UTC', workflow_id: ids['workflow_id'] ?? '' },
  }),
  listDailyRuns: (ids) => ({
    query: { date: today(), timezone: 'UTC', workflow_id: ids['workflow_id'] ?? '' },
  }),
  listReportWorkflows: empty,
  listNodeTypes: empty,
  getNodeType: empty,
  listDocuments: empty,
  presignDocument: () => ({ body: { filename: 'walked.pdf', mime_type: 'application/pdf' } }),
  processDocument: (ids) => ({ body: { document_uuid: ids['document_uuid'], s3_key: 'walked' } }),
  getDocument: empty,
  deleteDocument: empty,
  searchDocuments: (ids) => ({ body: { query: 'walked', document_uuids: [ids['document_uuid']] } }),
  uploadDirectory: empty,
  listDirectories: empty,
  getDirectory: empty,
  /** Columns of the file, not ids of ours. */
  updateDirectory: () => ({
    body: {
      name: 'walked',
      mapping: { opening_line: { type: 'phone_number', text: null, recording_id: null } },
    },
  }),
  deleteDirectory: empty,
  previewDirectory: empty,
  checkDirectory: empty,
  cancelDirectoryCheck: empty,
  repairDirectory: (ids) => ({ body: { directory_id: Number(ids['directory_id'] ?? 0) } }),
  listContacts: empty,
  downloadDirectoryErrors: empty,
  fitDirectory: (ids) => ({ query: { workflow_id: ids['workflow_id'] ?? '' } }),
  listRecordings: (ids) => ({ query: { workflow_id: ids['workflow_id'] ?? '' } }),
  presignRecordings: () => ({ body: { files: [{ filename: 'walked.wav', file_size: 1 }] } }),
  registerRecordings: (ids) => ({
    body: {
      recordings: [
        {
          recording_id: 'walked',
          storage_key: ids['recording_key'],
          transcript: 'walked',
          workflow_id: Number(ids['workflow_id']),
          tts_voice_id: null,
        },
      ],
    },
  }),
  renameRecording: () => ({ body: { recording_id: 'walked-again' } }),
  deleteRecording: empty,
  getOrganizationContext: empty,
  getPreferences: empty,
  updatePreferences: () => ({ body: { timezone: 'Europe/Berlin' } }),
  listDispositionCodes: empty,
  getConfigurationDefaults: empty,
  getModelConfiguration: empty,
  saveModelConfiguration: () => ({
    body: {
      mode: 'byok',
      byok: {
        mode: 'pipeline',
        pipeline: {
          llm: {
            provider: 'openai_compatible',
            model: 'walked',
            api_key: 'walked-model-key',
            base_url: 'http://127.0.0.1:9/v1',
          },
        },
      },
    },
  }),
  getModelCatalog: empty,
  getModelPricing: empty,
  previewModelMigration: empty,
  migrateModels: empty,
  getUserConfiguration: empty,
  saveUserConfiguration: () => ({ body: { timezone: 'Europe/Berlin' } }),
  validateUserConfiguration: empty,
  listVoices: empty,
  sampleVoice: () => ({ body: { voice: 'Kore' } }),
  listCredentials: empty,
  createCredential: () => ({
    body: {
      name: 'walked',
      credential_type: 'bearer_token',
      credential_data: { token: 'walked-credential' },
    },
  }),
  getCredential: empty,
  updateCredential: () => ({ body: { name: 'walked again' } }),
  deleteCredential: empty,
  listTools: empty,
  createTool: (ids) => ({ body: { name: 'walked', definition: httpTool(ids) } }),
  getTool: empty,
  updateTool: (ids) => ({ body: { name: 'walked again', definition: httpTool(ids) } }),
  archiveTool: empty,
  unarchiveTool: empty,
  testTool: () => ({ body: {} }),
  listWebhookSecrets: empty,
  createWebhookSecret: empty,
  retireWebhookSecret: empty,
  listWebhookDeliveries: (ids) => ({
    query: {
      workflow_id: ids['workflow_id'] ?? '',
      node_id: ids['node_id'] ?? '',
      run_id: ids['run_id'] ?? '',
    },
  }),
  resendWebhookDeliveries: (ids) => ({
    body: {
      workflow_id: Number(ids['workflow_id']),
      node_id: ids['node_id'],
      run_id: Number(ids['run_id']),
    },
  }),
  getWebhookDelivery: empty,
  resendWebhookDelivery: empty,
  listWebhookEndpoints: empty,
  turnOnWebhookEndpoint: empty,
  testWebhookEndpoint: empty,
  previewWebhook: (ids) => ({ query: { run_id: ids['run_id'] ?? '' } }),
  listAuditLog: (ids) => ({
    query: {
      actor_type: 'api_key',
      actor_id: ids['api_key_id'] ?? '',
      object_type: 'agent',
      object_id: ids['workflow_id'] ?? '',
    },
  }),
  getAuditEntry: empty,
  getRetention: empty,
  previewRetention: () => ({ query: { transcript_days: '1' } }),
  setRetention: () => ({ body: { transcript_days: 30 } }),
  signUp: () => ({ body: { email: 'walked@example.com', password: 'walked-password' } }),
  logIn: () => ({ body: { email: 'walked@example.com', password: 'walked-password' } }),
  signInByLink: () => ({ body: { token: 'walked-token' } }),
  logOut: empty,
  changePassword: () => ({ body: { current_password: 'walked-guess', new_password: 'walked-password' } }),
  listSessions: empty,
  endOtherSessions: empty,
  endSession: empty,
  getSecondFactor: empty,
  beginSecondFactor: () => ({ body: { password: 'walked-guess' } }),
  confirmSecondFactor: () => ({ body: { code: '000000' } }),
  turnOffSecondFactor: () => ({ body: { password: 'walked-guess', code: '000000' } }),
  getMe: empty,
  getAuthUser: empty,
  getOnboardingState: empty,
  updateOnboardingState: () => ({ body: { skipped: true } }),
  listMembers: empty,
  changeRole: () => ({ body: { role: 'analyst' } }),
  removeMember: empty,
  transferOwnership: empty,
  leaveOrganization: empty,
  createInvitation: () => ({ body: { email: 'walked@example.com', role: 'analyst' } }),
  listInvitations: empty,
  revokeInvitation: empty,
  readInvitation: () => ({ body: { token: 'walked-token' } }),
  acceptInvitation: () => ({ body: { token: 'walked-token', password: 'walked-password' } }),
  acceptOwnInvitation: () => ({ body: { token: 'walked-token' } }),
  createPasswordLink: empty,
  readPasswordLink: () => ({ body: { token: 'walked-token' } }),
  setPasswordByLink: () => ({ body: { token: 'walked-token', password: 'walked-password' } }),
  listOwnOrganizations: empty,
  switchOrganization: (ids) => ({ body: { organization_id: Number(ids['organization_id']) } }),
  listApiKeys: empty,
  createApiKey: () => ({ body: { name: 'walked' } }),
  archiveApiKey: empty,
  reactivateApiKey: empty,
  rotateApiKey: () => ({ body: {} }),
  getHealth: empty,
  getActiveCalls: empty,
  getAutoscaleMetric: empty,
  getDescription: empty,
  getReference: empty,
  getReferenceAsset: empty,
  getLiveness: empty,
  getReadiness: empty,
};

export const routeNames = Object.keys(routes).filter((name): name is RouteName =>
  Object.hasOwn(routes, name),
);

/**
 * The request, and the names of its slots. Throws for a route without a line, and for a slot without a value.
 */
export function requestFor(
  name: RouteName,
  ids: Slots,
): { method: string; path: string; query: Record<string, string>; body: unknown; slots: string[] } {
  if (!Object.hasOwn(requests, name))
    throw new Error(
      `${name} is a new route: add a line to test/support/route-requests.ts that names each of its ids by a slot`,
    );
  const used = new Set<string>();
  const filled = new Proxy(ids, {
    get: (all, slot) => {
      const value = typeof slot === 'string' ? all[slot] : undefined;
      if (value === undefined)
        throw new Error(
          `${name} names the slot ${String(slot)}, which furnish() in test/support/furnished.ts does not fill`,
        );
      used.add(String(slot));
      return value;
    },
  });
  const path = fullPath(routes[name]).replaceAll(/\{(\w+)\}/g, (_all, slot: string) =>
    encodeURIComponent(filled[slot] ?? ''),
  );
  const { query = {}, body } = requests[name](filled);
  const search = new URLSearchParams(query).toString();
  return {
    method: routes[name].method.toUpperCase(),
    path: `${path}${search === '' ? '' : `?${search}`}`,
    query,
    body,
    slots: [...used],
  };
}

/** A graph that names a tool and credentials. */
function referringGraph(ids: Slots): unknown {
  const position = { x: 0, y: 0 };
  const credential = ids['credential_uuid'];
  return {
    nodes: [
      {
        id: 's',
        type: 'startCall',
        position,
        data: {
          name: 'Start',
          prompt: 'Greet',
          greeting: 'Hello',
          pre_call_fetch_enabled: true,
          pre_call_fetch_url: 'https://127.0.0.1:9/values',
          pre_call_fetch_credential_uuid: credential,
        },
      },
      {
        id: 'a',
        type: 'agentNode',
        position,
        data: { name: 'Ask', prompt: 'Ask', tool_uuids: [ids['tool_uuid']] },
      },
      { id: 'e', type: 'endCall', position, data: { name: 'End', prompt: 'Say goodbye' } },
      {
        id: 'w',
        type: 'webhook',
        position,
        data: {
          name: 'Send',
          http_method: 'POST',
          endpoint_url: 'https://127.0.0.1:9/hook',
          credential_uuid: credential,
          payload_template: { a: 1 },
        },
      },
    ],
    edges: [
      { id: 's-a', source: 's', target: 'a', data: { label: 'Begin', condition: 'The user answered' } },
      { id: 'a-e', source: 'a', target: 'e', data: { label: 'Done', condition: 'The order is known' } },
    ],
  };
}

const httpTool = (ids: Slots) => ({
  schema_version: 1,
  type: 'http_api',
  config: { method: 'GET', url: 'https://127.0.0.1:9/lookup', credential_uuid: ids['credential_uuid'] },
});
