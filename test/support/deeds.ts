import { createSignIn } from '../../src/api/compose.ts';
import { fullPath } from '../../src/contract/paths.ts';
import { routes, type RouteName, type Routes } from '../../src/contract/routes.ts';
import { calls } from '../../src/db/tables/calls.ts';
import type { CampaignState } from '../../src/domain/campaign/state.ts';
import { telephonyConfigurations } from '../../src/db/tables/telephony-configurations.ts';
import { webhookEndpointSwitches } from '../../src/db/tables/webhook-endpoint-switches.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { createSignInToken } from '../../src/services/identity/index.ts';
import {
  createTenant,
  completeGraph,
  idAt,
  startApi,
  testAccounts,
  triggeredGraph,
  type ApiUnderTest,
  type Asked,
} from './api-on-services.ts';
import { insertCampaign, insertDirectory } from './campaign-rows.ts';
import { createTestContext, testKeyRing, testSecrets, type TestDatabase } from './database.ts';
import { insertDelivery, insertEndedCall } from './delivery-rows.ts';
import { node } from './definitions.ts';
import { contactForm, contactFormType, keptFiles } from './directories.ts';
import { markChecked } from './repaired-directory.ts';
import { codeOf } from './one-time-codes.ts';
import { lineFiles } from './line-recordings.ts';
import { createFakeAccounts } from './fake-accounts.ts';
import { createFakeCarrier, insertConnection } from './telephony.ts';

/** Routes that may change something; a new one is missing below and does not compile. */
export type ChangingRoute = {
  [Name in RouteName]: Routes[Name]['method'] extends 'get' ? never : Name;
}[RouteName];

/** A request that succeeds, on objects that were made for it. */
export interface DeedRequest {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Replaces the owner's key. */
  headers?: Record<string, string>;
}

export interface Deed {
  /** Actions of the audit entries that it leaves, one for each changed object. */
  leaves: string[];
  request: (world: DeedWorld) => Promise<DeedRequest>;
  /** A refused request; absent = unknown objects and an invalid body. */
  refused?: (world: DeedWorld) => Promise<DeedRequest>;
  /**
   * For a POST with an Idempotency-Key whose process died before the answer was stored: the result of the
   * next request with the key. `same` = the existing object is answered; `anew` = an object that was never
   * answered is replaced; `again` = the request runs again (it creates nothing).
   */
  resumes?: 'same' | 'anew' | 'again';
}

/** Routes without an entry, and the reason. */
interface Unaudited extends Partial<Pick<Deed, 'request' | 'resumes'>> {
  unaudited: string;
}

const conversation = (body: object): Unaudited => ({
  unaudited: 'turns with their timestamps already record the conversation',
  resumes: 'same',
  request: async (world) => ({ params: await world.textSession(), body }),
});
const intervention = (action: string, body?: object): Deed => ({
  leaves: [action],
  resumes: 'same',
  request: async (world) => ({ params: await world.talkingCall(), ...(body === undefined ? {} : { body }) }),
});
const phone = { phone_number: '12025550123' };
const keyless = { name: 'own' };

export const deeds: Record<ChangingRoute, Deed | Unaudited> = {
  createWorkflow: {
    leaves: ['agent.created'],
    resumes: 'same',
    request: async () => ({ body: { name: 'a', workflow_definition: completeGraph() } }),
  },
  generateWorkflow: {
    leaves: ['agent.created'],
    resumes: 'same',
    request: async () => ({ body: { call_type: 'inbound', use_case: 'a', activity_description: 'b' } }),
  },
  duplicateWorkflowTemplate: {
    leaves: ['agent.created'],
    resumes: 'same',
    request: async () => ({ body: { template_id: 1, workflow_name: 'a' } }),
  },
  updateWorkflow: {
    leaves: ['agent.updated'],
    request: async (world) => ({ params: { workflow_id: await world.agent() }, body: { name: 'b' } }),
  },
  publishWorkflow: {
    leaves: ['agent.published'],
    resumes: 'same',
    request: async (world) => ({ params: { workflow_id: await world.drafted() } }),
  },
  createWorkflowDraft: {
    leaves: ['agent.draft_created'],
    resumes: 'same',
    request: async (world) => ({ params: { workflow_id: await world.agent() } }),
  },
  validateDefinition: { unaudited: 'it changes nothing' },
  estimateCampaign: { unaudited: 'it changes nothing' },
  validateWorkflow: { unaudited: 'it changes nothing' },
  changeWorkflowStatus: {
    leaves: ['agent.archived'],
    request: async (world) => ({
      params: { workflow_id: await world.agent() },
      body: { status: 'archived' },
    }),
  },
  duplicateWorkflow: {
    leaves: ['agent.duplicated'],
    resumes: 'same',
    request: async (world) => ({ params: { workflow_id: await world.agent() } }),
  },
  moveWorkflowToFolder: {
    leaves: ['agent.moved'],
    request: async (world) => ({
      params: { workflow_id: await world.agent() },
      body: { folder_id: Number(await world.folder()) },
    }),
  },
  discardWorkflowDraft: {
    leaves: ['agent.draft_discarded'],
    request: async (world) => ({ params: { workflow_id: await world.drafted() } }),
  },
  restoreWorkflowVersion: {
    leaves: ['agent.version_restored'],
    resumes: 'same',
    request: async (world) => ({ params: { workflow_id: await world.agent(), version_number: '1' } }),
  },
  createFolder: {
    leaves: ['folder.created'],
    resumes: 'same',
    request: async (world) => ({ body: { name: world.fresh() } }),
  },
  renameFolder: {
    leaves: ['folder.renamed'],
    request: async (world) => ({
      params: { folder_id: await world.folder() },
      body: { name: world.fresh() },
    }),
  },
  deleteFolder: {
    leaves: ['folder.deleted'],
    request: async (world) => ({ params: { folder_id: await world.folder() } }),
  },
  createTextSession: {
    leaves: ['text_session.created'],
    resumes: 'same',
    request: async (world) => ({ params: { workflow_id: await world.agent() }, body: {} }),
  },
  sendTextMessage: conversation({ text: 'hello' }),
  rewindTextSession: conversation({}),
  endTextSession: conversation({}),
  createRun: {
    leaves: ['call.created'],
    resumes: 'same',
    request: async (world) => ({
      params: { workflow_id: await world.agent() },
      body: { mode: 'smallwebrtc', name: 'r' },
    }),
  },
  eraseRun: {
    leaves: ['call.erase_requested'],
    resumes: 'again',
    request: async (world) => ({ params: await world.endedCall() }),
  },
  judgeRun: {
    leaves: ['call.judgment_requested'],
    resumes: 'same',
    request: async (world) => ({ params: await world.judgeableCall(), body: {} }),
  },
  hangUpRun: intervention('call.hung_up', {}),
  sayInRun: intervention('call.line_said', { text: 'one moment' }),
  whisperInRun: intervention('call.note_given', { text: 'offer Friday' }),
  moveRun: intervention('call.moved', { node_id: 'start' }),
  transferRun: intervention('call.transferred', { to: '+12025550143' }),
  pauseRun: intervention('call.agent_paused'),
  resumeRun: intervention('call.agent_resumed'),
  callByPathTest: {
    leaves: ['call.triggered'],
    resumes: 'same',
    request: async (world) => ({ params: { trigger_path: (await world.triggered()).path }, body: phone }),
  },
  callByPath: {
    leaves: ['call.triggered'],
    resumes: 'same',
    request: async (world) => ({ params: { trigger_path: (await world.triggered()).path }, body: phone }),
  },
  callByAgentTest: {
    leaves: ['call.triggered'],
    resumes: 'same',
    request: async (world) => ({ params: { workflow_uuid: (await world.triggered()).uuid }, body: phone }),
  },
  callByAgent: {
    leaves: ['call.triggered'],
    resumes: 'same',
    request: async (world) => ({ params: { workflow_uuid: (await world.triggered()).uuid }, body: phone }),
  },
  initiateCall: {
    leaves: ['call.initiated'],
    resumes: 'same',
    request: async (world) => ({ body: { workflow_id: Number(await world.callable()), ...phone } }),
  },
  updatePreferences: {
    leaves: ['organization.preferences_changed'],
    request: async (world) => ({ body: { test_phone_number: world.number() } }),
  },
  saveModelConfiguration: {
    leaves: ['organization.models_changed'],
    request: async (world) => ({
      body: {
        mode: 'byok',
        byok: {
          mode: 'pipeline',
          pipeline: { llm: { provider: 'groq', model: 'm', api_key: world.secret() } },
        },
      },
    }),
  },
  saveUserConfiguration: {
    leaves: ['organization.models_changed'],
    request: async (world) => ({ body: { llm: { provider: 'groq', model: 'm', api_key: world.secret() } } }),
  },
  sampleVoice: { unaudited: 'it changes nothing' },
  migrateModels: { unaudited: 'it changes nothing and answers the stored models' },
  createTelephonyConfiguration: {
    leaves: ['telephony_configuration.created'],
    resumes: 'same',
    request: async (world) => ({ body: world.connectionBody() }),
  },
  updateTelephonyConfiguration: {
    leaves: ['telephony_configuration.updated'],
    request: async (world) => ({
      params: { telephony_configuration_id: await world.connection() },
      body: world.connectionBody(),
    }),
  },
  deleteTelephonyConfiguration: {
    leaves: ['telephony_configuration.deleted'],
    request: async (world) => ({ params: { telephony_configuration_id: await world.connection() } }),
  },
  setDefaultOutbound: {
    leaves: ['telephony_configuration.made_default'],
    resumes: 'same',
    request: async (world) => ({ params: { telephony_configuration_id: await world.connection() } }),
  },
  reactivateTelephonyConfiguration: {
    leaves: ['telephony_configuration.reactivated'],
    resumes: 'same',
    request: async (world) => ({ params: { telephony_configuration_id: await world.connection() } }),
  },
  createPhoneNumber: {
    leaves: ['phone_number.created'],
    resumes: 'same',
    request: async (world) => ({
      params: { telephony_configuration_id: await world.connection() },
      body: { address: `+${world.number()}` },
    }),
  },
  updatePhoneNumber: {
    leaves: ['phone_number.updated'],
    request: async (world) => ({ params: await world.phoneNumber(), body: { label: world.fresh() } }),
  },
  deletePhoneNumber: {
    leaves: ['phone_number.deleted'],
    request: async (world) => ({ params: await world.phoneNumber() }),
  },
  setDefaultCaller: {
    leaves: ['phone_number.made_default_caller'],
    resumes: 'same',
    request: async (world) => ({ params: await world.phoneNumber() }),
  },
  createCampaign: {
    leaves: ['campaign.created'],
    resumes: 'same',
    request: async (world) => ({
      body: {
        name: world.fresh(),
        workflow_id: Number(await world.callable()),
        source_type: 'csv',
        source_id: (await insertDirectory(world.database.db, world.owner.organizationId)).fileKey,
      },
    }),
  },
  updateCampaign: {
    leaves: ['campaign.changed'],
    request: async (world) => ({
      params: { campaign_id: await world.campaign('running') },
      body: { name: world.fresh(), retry_config: {} },
    }),
  },
  startCampaign: {
    leaves: ['campaign.state_changed'],
    resumes: 'same',
    request: async (world) => ({ params: { campaign_id: await world.campaign('created') } }),
  },
  pauseCampaign: {
    leaves: ['campaign.state_changed'],
    resumes: 'same',
    request: async (world) => ({ params: { campaign_id: await world.campaign('running') } }),
  },
  resumeCampaign: {
    leaves: ['campaign.state_changed'],
    resumes: 'same',
    request: async (world) => ({ params: { campaign_id: await world.campaign('paused') } }),
  },
  stopCampaign: {
    leaves: ['campaign.stopped'],
    resumes: 'same',
    request: async (world) => ({ params: { campaign_id: await world.campaign('running') }, body: {} }),
  },
  redialCampaign: {
    leaves: ['campaign.created'],
    resumes: 'same',
    request: async (world) => ({ params: { campaign_id: await world.campaign('completed') }, body: {} }),
  },
  presignUpload: {
    leaves: ['upload.granted'],
    request: async () => ({ body: { file_name: 'a.csv', file_size: 1 } }),
  },
  presignAmbientNoise: {
    leaves: ['upload.granted'],
    request: async (world) => ({
      body: { workflow_id: Number(await world.agent()), filename: 'a.wav', file_size: 1 },
    }),
  },
  createDownloadTicket: { unaudited: 'it lets a browser read what the caller reads anyway' },
  uploadFile: { unaudited: 'anyone with the link may upload; the request for the link is recorded' },
  presignDocument: { unaudited: 'it changes nothing and is always refused' },
  processDocument: { unaudited: 'it changes nothing and is always refused' },
  deleteDocument: { unaudited: 'it changes nothing: there are no documents' },
  searchDocuments: { unaudited: 'it changes nothing and finds nothing' },
  presignRecordings: {
    leaves: ['upload.granted'],
    request: async () => ({ body: { files: [{ filename: 'a.wav', file_size: 1 }] } }),
  },
  registerRecordings: {
    leaves: ['recording.registered'],
    resumes: 'same',
    request: async (world) => ({ body: world.recordingBody() }),
  },
  renameRecording: {
    leaves: ['recording.renamed'],
    request: async (world) => ({
      params: { recording_id: await world.recording() },
      body: { recording_id: world.fresh() },
    }),
  },
  deleteRecording: {
    leaves: ['recording.deleted'],
    request: async (world) => ({ params: { recording_id: await world.recording() } }),
  },
  uploadDirectory: {
    leaves: ['directory.uploaded'],
    resumes: 'same',
    request: async (world) => world.contactFile(),
  },
  updateDirectory: {
    leaves: ['directory.updated'],
    request: async (world) => ({
      params: { directory_id: await world.directory() },
      body: { name: world.secret(), mapping: { duplicates: 'all' } },
    }),
  },
  deleteDirectory: {
    leaves: ['directory.deleted'],
    request: async (world) => ({ params: { directory_id: await world.directory() } }),
  },
  checkDirectory: {
    leaves: ['directory.check_started'],
    resumes: 'same',
    request: async (world) => ({ params: { directory_id: await world.directory() } }),
  },
  repairDirectory: {
    leaves: ['directory.repaired'],
    resumes: 'again',
    request: async (world) => {
      const { directoryId, repairedId } = await world.repaired();
      return { params: { directory_id: directoryId }, body: { directory_id: Number(repairedId) } };
    },
  },
  cancelDirectoryCheck: {
    leaves: ['directory.check_canceled'],
    request: async (world) => {
      const directory_id = await world.directory();
      await world.ask('POST', `/directories/${directory_id}/check`);
      return { params: { directory_id } };
    },
  },
  createCredential: {
    leaves: ['credential.created'],
    resumes: 'same',
    request: async (world) => ({ body: world.credentialBody() }),
  },
  updateCredential: {
    leaves: ['credential.updated'],
    request: async (world) => ({
      params: { credential_uuid: await world.credential() },
      body: world.credentialBody(),
    }),
  },
  deleteCredential: {
    leaves: ['credential.deleted'],
    request: async (world) => ({ params: { credential_uuid: await world.credential() } }),
  },
  createTool: {
    leaves: ['tool.created'],
    resumes: 'same',
    request: async () => ({ body: { name: 't', definition: { type: 'calculator' } } }),
  },
  updateTool: {
    leaves: ['tool.updated'],
    request: async (world) => ({ params: { tool_uuid: await world.tool() }, body: { name: 'u' } }),
  },
  archiveTool: {
    leaves: ['tool.archived'],
    request: async (world) => ({ params: { tool_uuid: await world.tool() } }),
  },
  unarchiveTool: {
    leaves: ['tool.unarchived'],
    resumes: 'same',
    request: async (world) => {
      const uuid = await world.tool();
      await world.ask('DELETE', `/tools/${uuid}`);
      return { params: { tool_uuid: uuid } };
    },
  },
  testTool: {
    leaves: ['tool.tested'],
    request: async (world) => ({ params: { tool_uuid: await world.httpTool() }, body: {} }),
  },
  createWebhookSecret: {
    leaves: ['webhook_secret.added'],
    resumes: 'same',
    request: async (world) => ({ headers: { 'x-api-key': (await createTenant(world.database.db)).key } }),
    refused: async (world) => {
      await world.ask('POST', '/organizations/webhook-secrets'); // two are in use at most
      return {};
    },
  },
  retireWebhookSecret: {
    leaves: ['webhook_secret.retired'],
    request: async (world) => {
      const headers = { 'x-api-key': (await createTenant(world.database.db)).key };
      return {
        params: {
          secret_id: idAt(
            (await world.api.send(headers, 'POST', '/organizations/webhook-secrets')).body,
            'id',
          ),
        },
        headers,
      };
    },
  },
  resendWebhookDeliveries: {
    leaves: ['webhook_deliveries.resend_requested'],
    resumes: 'again',
    request: async (world) => ({ body: { run_id: (await world.delivery()).callId } }),
  },
  resendWebhookDelivery: {
    leaves: ['webhook_delivery.resend_requested'],
    resumes: 'again',
    request: async (world) => ({ params: { delivery_uuid: (await world.delivery()).uuid } }),
  },
  turnOnWebhookEndpoint: {
    leaves: ['webhook_endpoint.turned_on'],
    resumes: 'same',
    request: async (world) => ({ params: { endpoint_id: await world.endpoint() } }),
  },
  testWebhookEndpoint: {
    leaves: ['webhook_endpoint.tested'],
    request: async (world) => ({ params: { endpoint_id: await world.endpoint() } }),
  },
  suppressNumbers: {
    leaves: ['suppressions.added'],
    request: async (world) => ({ body: { phone_numbers: [world.number()], reason: world.secret() } }),
  },
  importSuppressions: {
    leaves: ['suppressions.imported'],
    request: async (world) => ({ body: `phone_number\n+${world.number()}\n` }),
    refused: async () => ({ body: 'name,day\nAnna,Monday\n' }),
  },
  removeSuppression: {
    leaves: ['suppression.removed'],
    request: async (world) => ({
      params: { suppression_id: await world.suppression() },
      query: { reason: 'they called us' },
    }),
  },
  setDialPolicy: { leaves: ['dial_policy.set'], request: async () => ({ body: { reserved_lines: 2 } }) },
  stopDialing: {
    leaves: ['dialing.stopped'],
    resumes: 'again',
    request: async () => ({ body: {} }),
    refused: async () => ({ body: { hang_up: 'some' } }),
  },
  resumeDialing: {
    leaves: ['dialing.resumed'],
    resumes: 'again',
    request: async () => ({}),
    refused: async () => ({ headers: { 'x-api-key': 'prl_unknown' } }),
  },
  setRetention: {
    leaves: ['retention_policy.set'],
    request: async () => ({ body: { transcript_days: 30 } }),
  },
  signUp: {
    leaves: [
      'webhook_secret.added',
      'api_key.created',
      'organization.created',
      'user.created',
      'session.started',
    ],
    request: async (world) => ({ body: world.person(), headers: {} }),
  },
  logIn: {
    leaves: ['session.started'],
    request: async (world) => {
      const person = world.person();
      await world.api.ask(null, 'POST', '/auth/signup', person);
      return { body: { email: person.email, password: person.password }, headers: {} };
    },
  },
  signInByLink: {
    leaves: ['session.started'],
    request: async (world) => ({ body: { token: await world.signInToken() }, headers: {} }),
  },
  logOut: {
    leaves: ['session.ended'],
    request: async (world) => ({ headers: await world.signedIn() }),
    refused: async () => ({}),
  },
  changePassword: {
    leaves: ['user.password_changed'],
    request: async (world) => {
      const person = world.person();
      return {
        headers: await world.signedIn(person),
        body: { current_password: person.password, new_password: world.secret() },
      };
    },
  },
  endSession: {
    leaves: ['session.ended'],
    request: async (world) => {
      const headers = await world.signedIn();
      const listed = await world.api.send(headers, 'GET', '/auth/sessions');
      return { headers, params: { session_id: idAt(listed.body, 0, 'id') } };
    },
    refused: async (world) => ({ headers: await world.signedIn(), params: { session_id: '999999999' } }),
  },
  endOtherSessions: {
    leaves: ['user.sessions_ended'],
    request: async (world) => ({ headers: await world.signedIn() }),
    refused: async () => ({}),
  },
  beginSecondFactor: {
    leaves: ['user.second_factor_begun'],
    request: async (world) => {
      const person = world.person();
      return { headers: await world.signedIn(person), body: { password: person.password } };
    },
  },
  confirmSecondFactor: {
    leaves: ['user.second_factor_turned_on'],
    request: async (world) => {
      const { headers, code } = await world.begunSecondFactor();
      return { headers, body: { code } };
    },
    refused: async (world) => ({
      headers: (await world.begunSecondFactor()).headers,
      body: { code: 'no code' },
    }),
  },
  turnOffSecondFactor: {
    leaves: ['user.recovery_code_used', 'user.second_factor_turned_off'],
    request: async (world) => {
      const { headers, password, code } = await world.begunSecondFactor();
      const { body } = await world.api.send(headers, 'POST', '/auth/second-factor/confirm', { code });
      return { headers, body: { password, code: idAt(body, 'recovery_codes', 0) } };
    },
    refused: async (world) => {
      const person = world.person();
      return {
        headers: await world.signedIn(person),
        body: { password: person.password, code: '000000' },
      };
    },
  },
  updateOnboardingState: {
    leaves: ['user.onboarding_changed'],
    request: async () => ({ body: { skipped: true } }),
  },
  createInvitation: {
    leaves: ['invitation.created'],
    resumes: 'anew',
    request: async (world) => ({ body: { email: world.person().email, role: 'operator' } }),
  },
  revokeInvitation: {
    leaves: ['invitation.revoked'],
    request: async (world) => ({ params: { invitation_id: (await world.invitation()).id } }),
  },
  changeRole: {
    leaves: ['member.role_changed'],
    request: async (world) => ({
      params: { user_id: (await world.member()).userId },
      body: { role: 'analyst' },
    }),
  },
  removeMember: {
    leaves: ['member.removed'],
    request: async (world) => ({ params: { user_id: (await world.member()).userId } }),
  },
  transferOwnership: {
    leaves: ['member.role_changed', 'member.role_changed', 'organization.owner_transferred'],
    request: async (world) => {
      const headers = await world.signedIn();
      return { headers, params: { user_id: (await world.member(headers)).userId } };
    },
    refused: async () => ({ params: { user_id: '999999999' } }),
  },
  leaveOrganization: {
    leaves: ['member.left'],
    request: async (world) => ({ headers: (await world.member()).headers }),
    refused: async (world) => ({ headers: await world.signedIn() }), // the only owner of its organization
  },
  readInvitation: { unaudited: 'it changes nothing' },
  acceptInvitation: {
    leaves: ['invitation.accepted', 'user.created', 'member.joined', 'session.started'],
    request: async (world) => ({
      headers: {},
      body: { token: (await world.invitation()).token, password: world.secret() },
    }),
  },
  acceptOwnInvitation: {
    leaves: ['session.ended', 'invitation.accepted', 'member.joined', 'session.started'],
    request: async (world) => {
      const person = world.person();
      const headers = await world.signedIn(person);
      return { headers, body: { token: (await world.invitation(person.email)).token } };
    },
    refused: async (world) => ({ headers: await world.signedIn(), body: { token: 'unknown' } }),
  },
  createPasswordLink: {
    leaves: ['user.password_link_created'],
    request: async (world) => ({ params: { user_id: (await world.member()).userId } }),
  },
  readPasswordLink: { unaudited: 'it changes nothing' },
  setPasswordByLink: {
    leaves: ['user.password_reset', 'session.started'],
    request: async (world) => ({
      headers: {},
      body: { token: await world.passwordToken(), password: world.secret() },
    }),
  },
  switchOrganization: {
    leaves: ['session.ended', 'session.started'],
    request: async (world) => ({
      headers: (await world.member()).headers,
      body: { organization_id: world.owner.organizationId },
    }),
    refused: async (world) => ({ headers: await world.signedIn(), body: { organization_id: 999_999_999 } }),
  },
  createApiKey: { leaves: ['api_key.created'], resumes: 'anew', request: async () => ({ body: keyless }) },
  archiveApiKey: {
    leaves: ['api_key.archived'],
    request: async (world) => ({ params: { api_key_id: await world.apiKey() } }),
  },
  reactivateApiKey: {
    leaves: ['api_key.reactivated'],
    request: async (world) => {
      const id = await world.apiKey();
      await world.ask('DELETE', `/user/api-keys/${id}`);
      return { params: { api_key_id: id } };
    },
  },
  rotateApiKey: {
    leaves: ['api_key.created', 'api_key.rotated'],
    resumes: 'anew',
    request: async (world) => ({ params: { api_key_id: await world.apiKey() }, body: {} }),
  },
};

/** An organization with what the requests need, and more of it on request. */
export interface DeedWorld {
  database: TestDatabase;
  api: ApiUnderTest;
  owner: { organizationId: number; userId: number; key: string };
  ask: (method: string, path: string, body?: unknown) => Promise<Asked>;
  /** An unused word. */
  fresh: () => string;
  /** Text that must not be in any audit entry; all of them are in `forbidden`. */
  secret: () => string;
  number: () => string;
  forbidden: string[];
  agent: () => Promise<string>;
  drafted: () => Promise<string>;
  /** An agent with a free line for a call. */
  callable: () => Promise<string>;
  triggered: () => Promise<{ path: string; uuid: string }>;
  textSession: () => Promise<{ workflow_id: string; run_id: string }>;
  endedCall: () => Promise<{ workflow_id: string; run_id: string }>;
  judgeableCall: () => Promise<{ workflow_id: string; run_id: string }>;
  /** A phone call. */
  talkingCall: () => Promise<{ workflow_id: string; run_id: string }>;
  folder: () => Promise<string>;
  credentialBody: () => { name: string; credential_type: string; credential_data: { token: string } };
  credential: () => Promise<string>;
  tool: () => Promise<string>;
  httpTool: () => Promise<string>;
  delivery: () => Promise<{
    uuid: string;
    callId: number;
    id: number;
    agentId: number;
    nodeId: string;
    url: string;
  }>;
  endpoint: () => Promise<string>;
  apiKey: () => Promise<string>;
  connectionBody: () => { name: string; config: { provider: string; api_key: string } };
  connection: () => Promise<string>;
  phoneNumber: () => Promise<{ telephony_configuration_id: string; phone_number_id: string }>;
  recordingBody: () => { recordings: { recording_id: string; storage_key: string; transcript: string }[] };
  /** Its name. */
  recording: () => Promise<string>;
  suppression: () => Promise<string>;
  /** A campaign in that state, with one row whose line was busy, and a free line. */
  campaign: (state: CampaignState) => Promise<string>;
  /** A form with a file of contacts. */
  contactFile: () => DeedRequest;
  directory: () => Promise<string>;
  /** A checked directory with a bad row, and its repaired error file, checked too. */
  repaired: () => Promise<{ directoryId: string; repairedId: string }>;
  person: () => { email: string; password: string; name: string };
  signedIn: (as?: ReturnType<DeedWorld['person']>) => Promise<Record<string, string>>;
  /** A person who has asked for a secret, with the first code. */
  begunSecondFactor: () => Promise<{ headers: Record<string, string>; password: string; code: string }>;
  /** An invitation of the owner, for an unknown address if none is given. */
  invitation: (email?: string) => Promise<{ id: string; token: string }>;
  /** A person who has joined the organization of the owner, or of these headers. */
  member: (of?: Record<string, string>) => Promise<{ userId: string; headers: Record<string, string> }>;
  /** The token of a link for a new password of a member. */
  passwordToken: () => Promise<string>;
  /** The token of a sign-in link of the owner's user. */
  signInToken: () => Promise<string>;
  close: () => Promise<void>;
}

/** Sends a deed's request to its route, by default as the owner. */
export function sendDeed(
  { api, owner }: DeedWorld,
  name: ChangingRoute,
  { params = {}, query, body, headers = { 'x-api-key': owner.key } }: DeedRequest,
  more: Record<string, string> = {},
): Promise<Asked> {
  const path = fullPath(routes[name])
    .replace('/api/v1', '')
    .replaceAll(/\{(\w+)\}/g, (_all, key: string) => params[key] ?? 'unknown');
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  return api.send({ ...headers, ...more }, routes[name].method.toUpperCase(), `${path}${search}`, body);
}

/** The status of the route's success. */
export const successOf = (name: ChangingRoute): number =>
  Number(Object.keys(routes[name].answers).find((status) => status.startsWith('2')));

const isChanging = (name: string): name is ChangingRoute => Object.hasOwn(deeds, name);

export const changingRoutes = Object.keys(deeds).filter(isChanging);

export async function createDeedWorld(database: TestDatabase): Promise<DeedWorld> {
  const api = await startApi(database.db, {
    carriers: new Map([['telnyx', createFakeCarrier()]]),
    files: keptFiles(lineFiles),
    accounts: createFakeAccounts().carriers,
    signIn: createSignIn({
      db: database.db,
      secrets: testSecrets,
      keyRing: testKeyRing,
      accounts: { ...testAccounts, maxSignupsPerHour: 1000 },
    }),
  });
  const owner = await createTenant(database.db);
  await insertConnection(database.db, owner.organizationId);
  const { db } = database;
  const ask: DeedWorld['ask'] = (method, path, body) => api.ask(owner.key, method, path, body);
  const forbidden: string[] = [];
  let used = 0;
  const fresh = () => {
    used += 1;
    return `word-${used}`;
  };
  const remembered = (text: string) => {
    forbidden.push(text);
    return text;
  };
  const secret = () => remembered(`hidden-from-everybody-${fresh()}`);
  const made = async (path: string, body: unknown, ...at: string[]) =>
    idAt((await ask('POST', path, body)).body, ...at);

  const agent = () =>
    made('/workflow/create/definition', { name: 'a', workflow_definition: completeGraph() }, 'id');
  const drafted = async () => {
    const id = await agent();
    await ask('POST', `/workflow/${id}/create-draft`);
    return id;
  };
  // Live calls would soon be too many, and a default connection without a number cannot call.
  const freeLines = async () => {
    const { organizationId } = owner;
    await db.getRepository(calls).update({ organizationId }, { state: 'ended' });
    await db.getRepository(telephonyConfigurations).update({ organizationId }, { isDefaultOutbound: null });
  };
  const triggered = async () => {
    await freeLines();
    const path = fresh();
    return {
      path,
      uuid: await made(
        '/workflow/create/definition',
        { name: 'a', workflow_definition: triggeredGraph(path) },
        'workflow_uuid',
      ),
    };
  };
  const credentialBody = () => ({
    name: fresh(),
    credential_type: 'bearer_token',
    credential_data: { token: secret() },
  });
  const httpDefinition = () => ({
    type: 'http_api',
    config: { method: 'GET', url: 'https://tools.example.test/', headers: { 'X-Auth-Token': secret() } },
  });
  const delivery = async () => {
    const agentId = await agent();
    const callId = Number(await made(`/workflow/${agentId}/runs`, { mode: 'smallwebrtc', name: 'r' }, 'id'));
    return await insertDelivery(
      { ...(await createTestContext(db)), organizationId: owner.organizationId },
      { callId, agentId: Number(agentId) },
    );
  };
  const endpoint = async () => {
    const { id: deliveryId, agentId, nodeId, url } = await delivery();
    used += 1;
    const endpointKey = String(used).padStart(32, '0');
    await db.getRepository(webhookEndpointSwitches).insert({
      organizationId: owner.organizationId,
      endpointKey,
      agentId,
      nodeId,
      url,
      deliveryId,
      switchedOffAt: new Date(),
      turnedOnAt: null,
    });
    return endpointKey;
  };
  const person = () => ({
    email: remembered(`${fresh()}@people.example.com`),
    password: secret(),
    name: remembered(`Person of ${fresh()}`),
  });
  const signedIn = async (as = person()) => ({
    authorization: `Bearer ${idAt((await api.ask(null, 'POST', '/auth/signup', as)).body, 'token')}`,
  });
  const begunSecondFactor = async () => {
    const someone = person();
    const { password } = someone;
    const headers = await signedIn(someone);
    const { body } = await api.send(headers, 'POST', '/auth/second-factor', { password });
    return { headers, password, code: codeOf(remembered(idAt(body, 'secret')), systemClock.now()) };
  };
  const invitation = async (
    email = person().email,
    as: Record<string, string> = { 'x-api-key': owner.key },
  ) => {
    const { body } = await api.send(as, 'POST', '/organizations/invitations', { email, role: 'operator' });
    return { id: idAt(body, 'id'), token: remembered(idAt(body, 'link').replace(/^.*=/, '')) };
  };
  const member = async (of?: Record<string, string>) => {
    const { token } = await invitation(undefined, of);
    const { body } = await api.ask(null, 'POST', '/auth/invitation/accept', { token, password: secret() });
    return {
      userId: idAt(body, 'user', 'id'),
      headers: { authorization: `Bearer ${idAt(body, 'token')}` },
    };
  };

  const number = () => remembered(`1202555${String(1000 + (used += 1))}`);
  const recordingBody = () => {
    const name = fresh();
    return {
      recordings: [
        {
          recording_id: name,
          storage_key: `line_recordings/${owner.organizationId}/${name}.wav`,
          transcript: secret(),
        },
      ],
    };
  };
  const contactFile = (): DeedRequest => ({
    body: contactForm(`${secret()}.csv`, `phone_number,name\n+${number()},${secret()}\n`),
    headers: { 'x-api-key': owner.key, 'content-type': contactFormType },
  });
  const connectionBody = () => ({ name: fresh(), config: { provider: 'telnyx', api_key: secret() } });
  const connection = () => made('/organizations/telephony-configs', connectionBody(), 'id');

  return {
    database,
    api,
    owner,
    ask,
    fresh,
    secret,
    number,
    forbidden,
    agent,
    drafted,
    callable: async () => {
      await freeLines();
      return await agent();
    },
    triggered,
    endedCall: async () => {
      const { callId, agentId } = await delivery();
      await db.getRepository(calls).update({ id: callId }, { state: 'ended' });
      return { workflow_id: String(agentId), run_id: String(callId) };
    },
    talkingCall: async () => {
      const { callId, agentId } = await insertEndedCall(
        { ...(await createTestContext(db)), organizationId: owner.organizationId },
        { nodes: [node('start', 'startCall', { name: 'Start' })] },
      );
      await db.getRepository(calls).update({ id: callId }, { state: 'talking', channel: 'phone' });
      return { workflow_id: String(agentId), run_id: String(callId) };
    },
    judgeableCall: async () => {
      const { callId, agentId } = await insertEndedCall(
        { ...(await createTestContext(db)), organizationId: owner.organizationId },
        { nodes: [node('quality', 'qa', { name: 'Quality' })] },
      );
      return { workflow_id: String(agentId), run_id: String(callId) };
    },
    textSession: async () => {
      const workflow_id = await agent();
      return {
        workflow_id,
        run_id: await made(`/workflow/${workflow_id}/text-chat/sessions`, {}, 'workflow_run_id'),
      };
    },
    folder: () => made('/folder/', { name: fresh() }, 'id'),
    credentialBody,
    credential: () => made('/credentials/', credentialBody(), 'uuid'),
    tool: () => made('/tools/', { name: 't', definition: { type: 'calculator' } }, 'tool_uuid'),
    httpTool: () => made('/tools/', { name: 't', definition: httpDefinition() }, 'tool_uuid'),
    delivery,
    endpoint,
    apiKey: () => made('/user/api-keys', keyless, 'id'),
    recordingBody,
    recording: () => made('/workflow-recordings/', recordingBody(), 'recordings', '0', 'recording_id'),
    suppression: () => made('/suppressions', { phone_numbers: [number()] }, 'suppressions', '0', 'id'),
    contactFile,
    directory: async () => {
      const { body, headers = {} } = contactFile();
      return idAt((await api.send(headers, 'POST', '/directories', body)).body, 'id');
    },
    repaired: async () => {
      const { organizationId } = owner;
      const phone = number();
      const upload = async (fileName: string, content: string) => {
        const headers = { 'x-api-key': owner.key, 'content-type': contactFormType };
        return idAt(
          (await api.send(headers, 'POST', '/directories', contactForm(fileName, content))).body,
          'id',
        );
      };
      const directoryId = await upload('list.csv', 'phone_number\nnone\n');
      const bad = { organizationId, state: 'invalid' as const, phone: null, cells: ['none'] };
      await markChecked(db, { directoryId: Number(directoryId), ...bad });
      const repairedId = await upload(
        `directory_${directoryId}_errors.csv`,
        `phone_number,line,column,code,message,suggestion\n+${phone},2,phone_number,phone_letters,,\n`,
      );
      const cells = [`+${phone}`, '2', 'phone_number', 'phone_letters', '', ''];
      await markChecked(db, { directoryId: Number(repairedId), organizationId, state: 'ok', phone, cells });
      return { directoryId, repairedId };
    },
    campaign: async (state) => {
      await freeLines();
      const agentId = await agent();
      const callId = Number(
        await made(`/workflow/${agentId}/runs`, { mode: 'smallwebrtc', name: 'r' }, 'id'),
      );
      await db.getRepository(calls).update({ id: callId }, { tags: ['telephony_busy'] });
      const directory = await insertDirectory(db, owner.organizationId);
      return String(
        (
          await insertCampaign(db, directory, {
            agentId: Number(agentId),
            state,
            targets: [{ rowNumber: 1, state: 'failed', callId }],
          })
        ).id,
      );
    },
    connectionBody,
    connection,
    phoneNumber: async () => {
      const telephony_configuration_id = await connection();
      return {
        telephony_configuration_id,
        phone_number_id: await made(
          `/organizations/telephony-configs/${telephony_configuration_id}/phone-numbers`,
          { address: `+${number()}` },
          'id',
        ),
      };
    },
    person,
    signedIn,
    begunSecondFactor,
    invitation,
    member,
    passwordToken: async () => {
      const path = `/organizations/members/${(await member()).userId}/password-link`;
      const { body } = await api.send({ 'x-api-key': owner.key }, 'POST', path);
      return remembered(idAt(body, 'link').replace(/^.*=/, ''));
    },
    signInToken: async () =>
      remembered(
        await createSignInToken({
          db,
          clock: systemClock,
          ids: randomIds,
          user: { id: owner.userId, organizationId: owner.organizationId },
        }),
      ),
    close: () => api.close(),
  };
}
