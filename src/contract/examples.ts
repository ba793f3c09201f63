import { from, type Example } from './example.ts';
import type { RouteName } from './routes.ts';

const position = (x: number, y: number) => ({ x, y });

const orderDesk = {
  nodes: [
    {
      id: 'start',
      type: 'startCall',
      position: position(0, 0),
      data: {
        name: 'Greeting',
        prompt: 'Greet the caller and ask for the order number.',
        greeting: 'Hello {{first_name | there}}, which order is it about?',
      },
    },
    {
      id: 'order',
      type: 'agentNode',
      position: position(0, 200),
      data: {
        name: 'Order',
        prompt: 'Say when the order comes. Ask on which day it is to be delivered.',
        tool_uuids: [from('createTool', 'tool_uuid')],
        extraction_enabled: true,
        extraction_variables: [{ name: 'day', type: 'string', prompt: 'the day that the caller wants' }],
      },
    },
    {
      id: 'end',
      type: 'endCall',
      position: position(0, 400),
      data: { name: 'Goodbye', prompt: 'Say goodbye.' },
    },
    {
      id: 'trigger',
      type: 'trigger',
      position: position(300, 0),
      data: { name: 'Our shop', trigger_path: 'order-desk' },
    },
    {
      id: 'hook',
      type: 'webhook',
      position: position(300, 400),
      data: {
        name: 'To our shop',
        endpoint_url: 'https://shop.example.com/calls',
        credential_uuid: from('createCredential', 'uuid'),
        payload_template: { call: '{{workflow_run_id}}', day: '{{gathered_context.day}}' },
      },
    },
    { id: 'quality', type: 'qa', position: position(600, 0), data: { name: 'Quality' } },
  ],
  edges: [
    {
      id: 'start-order',
      source: 'start',
      target: 'order',
      data: { label: 'Number is known', condition: 'The caller has said the order number' },
    },
    {
      id: 'order-end',
      source: 'order',
      target: 'end',
      data: { label: 'Day is known', condition: 'The caller has said a day' },
    },
  ],
};

const statusTool = {
  type: 'http_api',
  config: {
    method: 'GET',
    url: 'https://shop.example.com/orders',
    credential_uuid: from('createCredential', 'uuid'),
    parameters: [{ name: 'number', type: 'string', description: 'The order number', required: true }],
    timeout_ms: 5000,
  },
};

const agent = { workflow_id: from('createWorkflow', 'id') };
const session = { ...agent, run_id: from('createTextSession', 'workflow_run_id') };
const spoken = { ...agent, run_id: from('createRun', 'id') };
const campaign = { campaign_id: from('createCampaign', 'id') };
const delivery = { delivery_uuid: from('listWebhookDeliveries', 'items', 0, 'id') };
const endpoint = { endpoint_id: from('listWebhookEndpoints', 0, 'id') };
const day = { start_date: '2026-01-01T00:00:00Z', end_date: '2099-12-31T00:00:00Z' };
const connection = { telephony_configuration_id: from('createTelephonyConfiguration', 'id') };
const number = { ...connection, phone_number_id: from('createPhoneNumber', 'id') };
const dialed = '+49 151 1234567';
const directory = { directory_id: from('uploadDirectory', 'id') };
const devops = { headers: { 'X-Dograh-Devops-Secret': 'secret-of-the-operator-24' } };
const model = { provider: 'openai', model: 'gpt-4.1', api_key: 'sk-example-0123456789' };

const invited = 'hB5tWq9eXn2vKc7mJd4rLz8sPa1fGy6uTo3iQk0wVxE';
const passwordToken = 'mC4kXw9dQz7tLr2vBn5yHs8pJf3gEa6uTi1oKq0RcVe';
const graceMember = { user_id: from('acceptInvitation', 'user', 'id') };

const unknownUuid = '5f0c6a1e-2b7d-4c55-9d6e-0f8b1a2c3d4e';

/**
 * The example of each operation, by its name in the route table, in the order in which they are sent: a shop
 * signs up, builds an agent, talks with it, and reads the results. `test/api/examples.test.ts` sends them to
 * a running API.
 */
export const examples: Readonly<Partial<Record<RouteName, Example>>> = {
  getHealth: {},
  getLiveness: {},
  getReadiness: {},
  getDescription: { isLong: true },
  getReference: {},
  getReferenceAsset: { path: { file: 'theme.css' } },
  listWorkflowTemplates: { isLong: true },

  signUp: {
    request: { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' },
    refused: {
      403: { request: { email: 'ada@example.com', password: 'another password' } },
      422: { request: { email: 'ada', password: 'short' } },
    },
  },
  logIn: {
    request: { email: 'ada@example.com', password: 'correct horse battery staple' },
    refused: { 401: { request: { email: 'ada@example.com', password: 'wrong' } } },
  },
  signInByLink: {
    request: { token: 'tqKrS0PcRzWcQn6yYhV6nXk2nGd9wJfB1eUo4mLsA7c' },
    refused: { 401: { request: { token: 'not a token of a link' } } },
  },
  logOut: { asUser: 'signInByLink' },
  createApiKey: {
    asUser: true,
    request: { name: 'Shop', scopes: ['admin'], expires_at: null },
    otherRequests: {
      'Only for starting calls, with an expiry': {
        name: 'Dialer',
        scopes: ['calls:trigger'],
        expires_at: '2098-12-31T23:59:59Z',
      },
    },
  },
  getMe: {},
  getAuthUser: {},
  getOnboardingState: {},
  updateOnboardingState: { request: { completed_actions: ['first_agent'] } },
  rotateApiKey: {
    path: { api_key_id: from('createApiKey', 'id') },
    request: { grace_period_seconds: 86_400 },
  },
  listApiKeys: { query: { include_archived: true } },
  archiveApiKey: { path: { api_key_id: from('rotateApiKey', 'id') } },
  reactivateApiKey: { path: { api_key_id: from('rotateApiKey', 'id') } },

  createInvitation: { request: { email: 'linus@example.com', role: 'builder' } },
  listInvitations: {},
  revokeInvitation: { path: { invitation_id: from('createInvitation', 'id') } },
  readInvitation: { request: { token: invited }, refused: { 401: { request: { token: 'not a token' } } } },
  acceptInvitation: {
    request: { token: invited, password: 'the nanosecond is a foot', name: 'Grace' },
    refused: { 401: {} },
  },
  createPasswordLink: { path: graceMember },
  readPasswordLink: {
    request: { token: passwordToken },
    refused: { 401: { request: { token: 'not a token' } } },
  },
  setPasswordByLink: {
    request: { token: passwordToken, password: 'a cable is a bundle of wires' },
    refused: { 401: {} },
  },
  acceptOwnInvitation: {
    asUser: 'setPasswordByLink',
    request: { token: 'yZ3vQm8kT1cXw5uJ7rB2nL9dF4gH6sP0aE1iO3tRkMb' },
  },
  listOwnOrganizations: { asUser: 'acceptOwnInvitation' },
  switchOrganization: {
    asUser: 'acceptOwnInvitation',
    request: { organization_id: from('signUp', 'user', 'organization_id') },
  },
  leaveOrganization: { asUser: 'switchOrganization' },
  listMembers: {},
  changeRole: {
    path: graceMember,
    request: { role: 'builder' },
    refused: { 409: { path: { user_id: from('signUp', 'user', 'id') } } },
  },

  getOrganizationContext: {},
  getPreferences: {},
  updatePreferences: { request: { timezone: 'Europe/Berlin', test_phone_number: '+49 30 1234567' } },
  listDispositionCodes: {},
  getConfigurationDefaults: {},
  getRetention: {},
  previewRetention: { query: { transcript_days: 30, recording_days: 7 } },
  setRetention: {
    request: { transcript_days: 90, recording_days: 30, variable_days: 365 },
    refused: { 422: { request: { transcript_days: 90, variable_days: 30 } } },
  },
  getModelConfiguration: {},
  getModelCatalog: { isLong: true },
  getModelPricing: {},
  previewModelMigration: {},
  migrateModels: {},
  saveModelConfiguration: {
    request: { version: 2, mode: 'byok', byok: { mode: 'pipeline', pipeline: { llm: model } } },
  },
  getUserConfiguration: {},
  saveUserConfiguration: { request: { llm: { ...model, model: 'gpt-4.1-mini' } } },
  validateUserConfiguration: { query: { validity_ttl_seconds: 60 } },
  listVoices: { path: { provider: 'openai' } },
  sampleVoice: {
    path: { provider: 'google' },
    request: { voice: 'Kore', text: 'Hello, this is Ava.', language: 'en-US', speed: 1 },
    refused: { 400: { path: { provider: 'openai' }, request: { voice: 'marin' } } },
  },

  createCredential: {
    request: {
      name: 'Shop',
      description: 'Of the order desk',
      credential_type: 'bearer_token',
      credential_data: { token: 'a-secret-token' },
    },
    otherRequests: {
      'With a custom header': {
        name: 'Warehouse',
        credential_type: 'custom_header',
        credential_data: { header_name: 'X-Warehouse', header_value: 'another-secret' },
      },
    },
    refused: {
      400: { request: { name: 'No token', credential_type: 'bearer_token', credential_data: {} } },
      409: {},
    },
  },
  listCredentials: {},
  getCredential: { path: { credential_uuid: from('createCredential', 'uuid') } },
  updateCredential: {
    path: { credential_uuid: from('createCredential', 'uuid') },
    request: { credential_data: { token: 'a-newer-secret' } },
  },

  createTool: {
    request: { name: 'Order status', description: 'Looks up an order', definition: statusTool },
    otherRequests: {
      Arithmetic: { name: 'Calculator', definition: { type: 'calculator' } },
      "Suppressing the person's number": {
        name: 'Do not call',
        definition: { type: 'native', config: { action: 'do_not_call' } },
      },
      'Ending the call': {
        name: 'Hang up',
        definition: { type: 'end_call', config: { messageType: 'custom', customMessage: 'Goodbye.' } },
      },
    },
    refused: { 422: { request: { name: 'Order status', definition: { type: 'fax' } } } },
  },
  listTools: { query: { status: 'active' }, refused: { 400: { query: { status: 'gone' } } } },
  getTool: { path: { tool_uuid: from('createTool', 'tool_uuid') } },
  updateTool: {
    path: { tool_uuid: from('createTool', 'tool_uuid') },
    request: { description: 'Looks up an order by its number' },
  },
  testTool: {
    path: { tool_uuid: from('createTool', 'tool_uuid') },
    request: { llm_params: { number: '4711' }, preset_params: {} },
  },
  archiveTool: { path: { tool_uuid: from('createTool', 'tool_uuid') } },
  unarchiveTool: { path: { tool_uuid: from('createTool', 'tool_uuid') } },

  listNodeTypes: { isLong: true },
  getNodeType: { path: { name: 'endCall' } },
  createWorkflow: {
    request: { name: 'Order desk', workflow_definition: orderDesk },
    refused: { 409: {}, 422: { request: { workflow_definition: { nodes: 'none' } } } },
  },
  listWorkflows: { query: { status: 'active' }, refused: { 422: { query: { status: 'gone' } } } },
  listWorkflowOverviews: { query: { search: 'desk', limit: 10 }, refused: { 422: { query: { limit: 0 } } } },
  countWorkflows: {},
  summarizeWorkflows: { query: { status: 'active,archived' } },
  getWorkflow: { path: agent },
  updateWorkflow: {
    path: agent,
    request: {
      workflow_configurations: { max_call_duration: 600, dictionary: 'Parlance, Kubernetes' },
      template_context_variables: { first_name: 'Ada' },
    },
    otherRequests: { 'Only the name': { name: 'Order desk, day shift' } },
  },
  validateDefinition: {
    request: {
      workflow_definition: {
        nodes: [
          {
            id: 'start',
            type: 'startCall',
            position: position(0, 0),
            data: { name: 'Greeting', prompt: 'Greet {{first_name}} and ask for the order number.' },
          },
        ],
        edges: [],
      },
    },
  },
  listWorkflowVariables: { path: agent },
  validateWorkflow: { path: agent },
  publishWorkflow: { path: agent, query: { note: 'Asks for the day first' }, refused: { 400: {} } },
  createWorkflowDraft: { path: agent },
  listWorkflowVersions: { path: agent, query: { limit: 10, offset: 0 } },
  discardWorkflowDraft: { path: agent },
  getWorkflowVersion: { path: { ...agent, version_number: 1 } },
  restoreWorkflowVersion: { path: { ...agent, version_number: 1 }, query: { note: 'As before May' } },
  duplicateWorkflow: { path: agent },
  duplicateWorkflowTemplate: { request: { template_id: 1, workflow_name: 'Reminders' } },
  generateWorkflow: {
    request: {
      call_type: 'inbound',
      use_case: 'Pizza orders',
      activity_description: 'Take the order. Ask for the address and say when the driver comes.',
    },
  },
  changeWorkflowStatus: {
    path: { workflow_id: from('duplicateWorkflow', 'id') },
    request: { status: 'archived' },
  },
  createFolder: { request: { name: 'Shop' }, refused: { 409: {} } },
  listFolders: {},
  renameFolder: { path: { folder_id: from('createFolder', 'id') }, request: { name: 'Shop, Berlin' } },
  moveWorkflowToFolder: { path: agent, request: { folder_id: from('createFolder', 'id') } },
  deleteFolder: { path: { folder_id: from('createFolder', 'id') } },
  listDocuments: {},
  presignDocument: { request: { filename: 'prices.pdf', mime_type: 'application/pdf' } },
  processDocument: { request: { document_uuid: unknownUuid, s3_key: 'documents/prices.pdf' } },
  getDocument: { path: { document_uuid: unknownUuid } },
  deleteDocument: { path: { document_uuid: unknownUuid } },
  searchDocuments: { request: { query: 'What does a pizza cost?' } },
  presignRecordings: {
    request: { files: [{ filename: 'greeting.wav', mime_type: 'audio/wav', file_size: 1644 }] },
  },
  registerRecordings: {
    request: {
      recordings: [
        {
          recording_id: from('presignRecordings', 'items', 0, 'recording_id'),
          storage_key: from('presignRecordings', 'items', 0, 'storage_key'),
          transcript: 'Welcome to our shop!',
        },
      ],
    },
    refused: {
      400: {
        request: {
          recordings: [
            { recording_id: 'welcome', storage_key: 'line_recordings/1/unknown.wav', transcript: 'Welcome!' },
          ],
        },
      },
      409: {},
    },
  },
  listRecordings: {},
  renameRecording: {
    path: { recording_id: from('registerRecordings', 'recordings', 0, 'recording_id') },
    request: { recording_id: 'welcome' },
  },
  deleteRecording: { path: { recording_id: from('renameRecording', 'recording_id') } },

  createTextSession: {
    path: agent,
    request: { name: 'A try', initial_context: { first_name: 'Ada' } },
    otherRequests: { 'With the test values of the agent': {} },
  },
  sendTextMessage: {
    path: session,
    request: { text: 'It is about order 4711.', expected_revision: 1 },
    otherRequests: { 'Whatever the session has come to': { text: 'On Monday, please.' } },
    refused: { 409: { request: { text: 'A message with an old revision.', expected_revision: 1 } } },
  },
  getTextSession: { path: session },
  rewindTextSession: {
    path: session,
    request: {
      cursor_turn_id: from('sendTextMessage', 'session_data', 'turns', 1, 'id'),
      expected_revision: 3,
    },
  },
  // guarantee: examples-come-from-running-api
  endTextSession: { path: session, request: { expected_revision: 4 }, refused: { 400: { request: {} } } },
  createRun: {
    path: agent,
    request: { mode: 'web', name: 'In the browser', initial_context: { first_name: 'Ada' } },
    otherRequests: { 'With the test values of the agent': { mode: 'web', name: 'In the browser' } },
  },
  listRuns: {
    path: agent,
    query: {
      page: 1,
      limit: 50,
      filters: '[{"attribute":"status","type":"radio","value":{"status":"completed"}}]',
    },
  },
  getRun: { path: session },
  getLiveRun: { path: session },
  streamEvents: { query: { topics: 'org' }, refused: { 404: { query: { topics: 'call:999999999' } } } },
  judgeRun: {
    path: session,
    request: { version: 'pinned' },
    refused: { 409: { path: { ...session, run_id: from('createRun', 'id') } } },
  },
  eraseRun: {
    path: session,
    refused: { 409: { path: { ...session, run_id: from('createRun', 'id') } } },
  },
  hangUpRun: {
    path: spoken,
    request: { politely: true },
    refused: { 409: { path: session } },
  },
  sayInRun: {
    path: spoken,
    request: { text: 'One moment, please.' },
    refused: { 422: { request: { text: '' } } },
  },
  whisperInRun: { path: spoken, request: { text: 'Offer the appointment on Friday.' } },
  moveRun: {
    path: spoken,
    request: { node_id: 'order' },
    refused: { 422: { request: { node_id: 'unknown' } } },
  },
  transferRun: {
    path: spoken,
    request: { to: '+12025550143', timeout_seconds: 20 },
    refused: { 422: { request: { to: '911' } } },
  },
  pauseRun: { path: spoken },
  resumeRun: { path: spoken },
  downloadArtifact: {
    path: { token: from('getRun', 'public_access_token'), artifact: 'transcript' },
    refused: { 400: { path: { token: from('getRun', 'public_access_token'), artifact: 'video' } } },
  },
  readPublicFile: { path: { ticket: from('downloadArtifact', 'ticket') } },
  downloadWorkflowReport: { path: agent, query: day },

  uploadDirectory: {
    headers: { 'content-type': 'multipart/form-data; boundary=example' },
    request:
      '--example\r\nContent-Disposition: form-data; name="file"; filename="customers.csv"\r\nContent-Type: text/csv\r\n\r\nphone_number,customer_id,first_name,city\n+12025550101,C-1,Ada,Boston\n+1 (202) 555-0102,C-2,Grace,Denver\n1.20256E+10,C-3,Alan,Miami\n+12025550101,C-4,Ada again,Boston\n\r\n--example--\r\n',
    refused: { 400: { request: '--example--\r\n' } },
  },
  listDirectories: { query: { limit: 10, offset: 0 } },
  getDirectory: { path: directory },
  previewDirectory: { path: directory, query: { header_line: 1 } },
  updateDirectory: {
    path: directory,
    request: { name: 'Customers of autumn', mapping: { identifier: 'customer_id', default_country: 'US' } },
    otherRequests: { 'Read in another way': { reading: { encoding: 'utf8', header_line: 1 } } },
    refused: { 400: { request: { mapping: { phone: 'mobile' } } } },
  },
  checkDirectory: { path: directory },
  listContacts: { path: directory, query: { state: 'invalid', limit: 10 } },
  downloadDirectoryErrors: { path: directory },
  fitDirectory: { path: directory, query: agent },
  repairDirectory: {
    path: directory,
    request: { directory_id: 2 },
    refused: { 400: { request: { directory_id: 1 } } },
  },
  cancelDirectoryCheck: { path: directory, refused: { 409: {} } },

  presignUpload: {
    request: { file_name: 'contacts.csv', file_size: 46, content_type: 'text/csv' },
    refused: { 422: { request: { file_name: 'contacts.xlsx', file_size: 45 } } },
  },
  uploadFile: {
    path: { ticket: from('presignUpload', 'upload_url') },
    headers: { 'content-type': 'text/csv' },
    request: 'phone_number,first_name\n4915112345678,Ada\n',
    refused: { 413: { request: `phone_number,first_name\n${'4915112345678,Ada\n'.repeat(2)}` } },
  },
  signUrl: {
    query: { key: from('presignUpload', 'file_key'), expires_in: 3600 },
    refused: { 404: { query: { key: 'campaigns/1/unknown.csv' } } },
  },
  getFileMetadata: {
    query: { key: from('presignUpload', 'file_key') },
    refused: { 404: { query: { key: 'campaigns/1/unknown.csv' } } },
  },
  presignAmbientNoise: {
    request: {
      workflow_id: from('createWorkflow', 'id'),
      filename: 'rain.wav',
      mime_type: 'audio/wav',
      file_size: 1_048_576,
    },
  },

  listWebhookDeliveries: { query: { state: 'succeeded', limit: 50 } },
  getWebhookDelivery: { path: delivery },
  resendWebhookDelivery: { path: delivery },
  resendWebhookDeliveries: {
    request: { state: 'dead_letter', from: '2026-01-01T00:00:00Z' },
    refused: { 400: { request: {} } },
  },
  listWebhookEndpoints: {},
  testWebhookEndpoint: { path: endpoint },
  previewWebhook: {
    path: endpoint,
    query: { run_id: from('listWebhookDeliveries', 'items', 0, 'run_id') },
  },
  turnOnWebhookEndpoint: { path: endpoint },
  createWebhookSecret: { refused: { 400: {} } },
  listWebhookSecrets: {},
  retireWebhookSecret: { path: { secret_id: from('createWebhookSecret', 'id') } },

  listTelephonyProviders: {},
  createTelephonyConfiguration: {
    request: {
      name: 'Telnyx',
      is_default_outbound: true,
      config: {
        provider: 'telnyx',
        api_key: 'KEY0123456789ABCDEF',
        webhook_public_key: '3nTzBCNLtXn7QAAa2SFy0fRTHT9qNnrEI0WA9TIPCkQ=',
      },
    },
    otherRequests: {
      'With a carrier that is only stored': {
        name: 'Twilio',
        config: { provider: 'twilio', account_sid: 'AC0123456789', auth_token: 'a-secret-token' },
      },
    },
    refused: { 409: {}, 422: { request: { name: 'Telnyx', config: { provider: 'pigeon' } } } },
  },
  listTelephonyConfigurations: {},
  getTelephonyWarnings: {},
  updateTelephonyConfiguration: {
    path: connection,
    request: { name: 'Telnyx, Berlin' },
    refused: {
      400: {
        request: {
          config: { provider: 'twilio', account_sid: 'AC0123456789', auth_token: 'a-secret-token' },
        },
      },
    },
  },
  setDefaultOutbound: { path: connection },
  reactivateTelephonyConfiguration: { path: connection },
  listTrunks: { path: connection },
  createPhoneNumber: {
    path: connection,
    request: {
      address: '(202) 555-0147',
      country_code: 'US',
      label: 'Order desk',
      inbound_workflow_id: from('createWorkflow', 'id'),
      is_default_caller_id: true,
    },
    otherRequests: { 'A number that only calls': { address: '+49 30 901820' } },
    refused: { 409: {}, 422: { request: { address: '2025550148' } } },
  },
  listPhoneNumbers: { path: connection },
  getPhoneNumber: { path: number },
  updatePhoneNumber: {
    path: number,
    request: { label: 'Order desk, by day' },
    otherRequests: { 'Detaching the agent': { clear_inbound_workflow: true } },
  },
  setDefaultCaller: { path: number },
  getTelephonyConfiguration: { path: connection },

  callByPath: {
    path: { trigger_path: 'order-desk' },
    request: { phone_number: dialed, initial_context: { first_name: 'Ada' } },
    refused: { 422: { request: { phone_number: 'unknown' } } },
  },
  callByPathTest: { path: { trigger_path: 'order-desk' }, request: { phone_number: dialed } },
  callByAgent: {
    path: { workflow_uuid: from('createWorkflow', 'workflow_uuid') },
    request: { phone_number: dialed },
  },
  callByAgentTest: {
    path: { workflow_uuid: from('createWorkflow', 'workflow_uuid') },
    request: { phone_number: dialed },
  },
  initiateCall: { request: { workflow_id: from('createWorkflow', 'id'), phone_number: dialed } },

  suppressNumbers: {
    request: { phone_numbers: ['+49 151 7654321', '4930901821'], reason: 'Asked for it by letter' },
    refused: { 422: { request: { phone_numbers: ['+49 151 7654321', 'unknown'] } } },
  },
  listSuppressions: { query: { number: '+49 151', limit: 50 } },
  importSuppressions: {
    headers: { 'content-type': 'text/csv' },
    request: 'phone_number,asked_at\n+49 151 1112223,2026-01-31\nunknown,2026-01-31\n',
    query: { reason: 'From the old system' },
    refused: { 400: { request: 'name,asked_at\nAda,2026-01-31\n' } },
  },
  exportSuppressions: {},
  removeSuppression: {
    path: { suppression_id: from('suppressNumbers', 'suppressions', 0, 'id') },
    query: { reason: 'Called us and wants to be called again' },
  },
  getDialPolicy: {},
  setDialPolicy: {
    request: {
      reserved_lines: 2,
      starts_per_second: 1,
      caps: { per_day: 2, per_week: 4 },
      window: { slots: [{ day_of_week: 0, start_time: '09:00', end_time: '19:00' }] },
      allowed_countries: ['US', 'DE'],
      allow_special_numbers: false,
      allowed_sip_hosts: ['pbx.example.com'],
      max_calls_per_day: 2000,
      max_call_minutes_per_day: 6000,
    },
    refused: {
      422: { request: { window: { slots: [{ day_of_week: 0, start_time: '19:00', end_time: '09:00' }] } } },
    },
  },
  getDialing: {},
  stopDialing: {
    request: { hang_up: 'unanswered' },
    otherRequests: { 'Calls that go on are left alone': {} },
  },
  resumeDialing: {},
  createCampaign: {
    request: {
      name: 'Spring orders',
      workflow_id: from('createWorkflow', 'id'),
      source_type: 'csv',
      source_id: from('presignUpload', 'file_key'),
      retry_config: { enabled: true, max_retries: 2, retry_delay_seconds: 600 },
      schedule_config: {
        timezone: 'Europe/Berlin',
        slots: [
          { day_of_week: 0, start_time: '09:00', end_time: '18:00' },
          { day_of_week: 3, start_time: '09:00', end_time: '20:00' },
        ],
      },
    },
    otherRequests: {
      "In the contacts' time zones, with a plan for each outcome": {
        name: 'Spring orders, abroad',
        workflow_id: from('createWorkflow', 'id'),
        source_type: 'csv',
        source_id: from('presignUpload', 'file_key'),
        schedule_config: {
          timezone: 'Europe/Berlin',
          slots: [{ day_of_week: 0, start_time: '09:00', end_time: '18:00' }],
        },
        rules: {
          window_zone: 'contact',
          retry_plan: {
            no_answer: { waits_seconds: [7200, 86_400], max_retries: 3, other_part_of_day: true },
            busy: { waits_seconds: [600, 1800], max_retries: 3 },
          },
          caps: { per_day: 2, per_week: null },
          ramp: { lines: 5, each_minute: 5 },
        },
      },
    },
    refused: {
      400: {
        request: {
          name: 'No file',
          workflow_id: from('createWorkflow', 'id'),
          source_type: 'csv',
          source_id: 'campaigns/1/unknown.csv',
        },
      },
    },
  },
  estimateCampaign: {
    request: {
      workflow_id: from('createWorkflow', 'id'),
      source_id: from('presignUpload', 'file_key'),
      schedule_config: {
        timezone: 'Europe/Berlin',
        slots: [{ day_of_week: 0, start_time: '09:00', end_time: '18:00' }],
      },
      rules: { window_zone: 'contact' },
    },
    refused: { 404: { request: { source_id: 'campaigns/1/unknown.csv' } } },
  },
  getCampaignDefaults: {},
  listCampaigns: {},
  getCampaign: { path: campaign },
  updateCampaign: {
    path: campaign,
    request: { name: 'Spring orders, second list', retry_config: { max_retries: 1 } },
  },
  startCampaign: { path: campaign, refused: { 400: {} } },
  pauseCampaign: { path: campaign, refused: { 400: {} } },
  resumeCampaign: { path: campaign },
  getCampaignProgress: { path: campaign },
  getCampaignEstimate: { path: campaign },
  getCampaignActivity: { path: campaign, query: { bucket: 300, limit: 2 } },
  listCampaignRows: { path: campaign, query: { state: 'processed', limit: 50 } },
  getCampaignRow: { path: { ...campaign, row: 1 } },
  listCampaignRuns: { path: campaign, query: { page: 1, limit: 8 } },
  downloadCampaignReport: { path: campaign, query: day },
  exportCampaign: { path: campaign, query: { kind: 'results', format: 'csv' } },
  createDownloadTicket: {
    request: { path: '/campaign/1/export?kind=errors' },
    refused: { 404: { request: { path: '/campaign/999/export' } } },
  },
  getCampaignSource: { path: campaign },
  stopCampaign: { path: campaign, request: { mode: 'finish' } },
  redialCampaign: { path: campaign, request: { retry_on_voicemail: false }, refused: { 400: {} } },

  listUsageRuns: { query: { page: 1, limit: 50, sort_by: 'created_at' } },
  downloadUsageReport: { query: day },
  getCurrentUsage: {},
  getDailyUsage: { query: { days: 1 } },
  getCallReport: {
    query: { from: '2026-01-01', to: '2026-01-31', timezone: 'Europe/Berlin', group_by: 'agent' },
    refused: { 400: { query: { from: '2026-01-01', to: '2026-01-31', timezone: 'UTC', filters: 'all' } } },
  },
  getDailyReport: { query: { date: '2026-01-31', timezone: 'Europe/Berlin' } },
  listDailyRuns: { query: { date: '2026-01-31', timezone: 'Europe/Berlin' } },
  listReportWorkflows: {},
  listAuditLog: { query: { object_type: 'agent', limit: 2 } },
  getAuditEntry: { path: { entry_id: from('listAuditLog', 'items', 0, 'id') } },
  getActiveCalls: devops,
  getAutoscaleMetric: { ...devops, query: { buffer: 2 } },
  deleteCredential: { path: { credential_uuid: from('createCredential', 'uuid') } },
  deleteDirectory: { path: directory },
  deletePhoneNumber: { path: number },
  deleteTelephonyConfiguration: { path: connection },
  listSessions: { asUser: true },
  endSession: { asUser: true, path: { session_id: from('listSessions', 1, 'id') } },
  endOtherSessions: { asUser: true },
  beginSecondFactor: {
    asUser: true,
    request: { password: 'correct horse battery staple' },
    refused: { 400: { request: { password: 'wrong' } } },
  },
  confirmSecondFactor: {
    asUser: true,
    request: { code: '492039' },
    refused: { 409: {} },
  },
  getSecondFactor: { asUser: true },
  turnOffSecondFactor: {
    asUser: true,
    request: {
      password: 'correct horse battery staple',
      code: from('confirmSecondFactor', 'recovery_codes', 0),
    },
    refused: { 409: {} },
  },
  changePassword: {
    asUser: true,
    request: {
      current_password: 'correct horse battery staple',
      new_password: 'a staple of the battery of the horse',
    },
    refused: {
      400: { request: { current_password: 'wrong', new_password: 'a staple of the battery of the horse' } },
    },
  },
  transferOwnership: { asUser: true, path: graceMember },
  removeMember: { path: { user_id: from('signUp', 'user', 'id') } },
};
