import { describe, expect, test } from '@jest/globals';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { fullPath } from '../../src/contract/paths.ts';
import { groupOf, type RequestGroup } from '../../src/contract/request-groups.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import type { Scope } from '../../src/contract/data/scopes.ts';
import { at } from '../support/api-on-services.ts';

/**
 * The scope of each route, and the group of its request limits. Every new route needs a line here, so that
 * its scope is a decision. `read` shows no secrets and, without `people:read`, nothing of people. `admin` is for
 * secrets, members and the organization.
 */
type Access = 'open' | Scope;
const access: Record<RouteName, readonly [Access, RequestGroup | null]> = {
  createWorkflow: ['agents:write', 'writes'],
  listWorkflows: ['read', 'reads'],
  listWorkflowOverviews: ['read', 'reads'],
  countWorkflows: ['read', 'reads'],
  summarizeWorkflows: ['read', 'reads'],
  getWorkflow: ['read', 'reads'],
  updateWorkflow: ['agents:write', 'writes'],
  publishWorkflow: ['agents:write', 'writes'],
  createWorkflowDraft: ['agents:write', 'writes'],
  listWorkflowVersions: ['read', 'reads'],
  getWorkflowVersion: ['read', 'reads'],
  validateWorkflow: ['agents:write', 'writes'],
  listWorkflowVariables: ['read', 'reads'],
  validateDefinition: ['agents:write', 'writes'],
  changeWorkflowStatus: ['agents:write', 'writes'],
  duplicateWorkflow: ['agents:write', 'writes'],
  moveWorkflowToFolder: ['agents:write', 'writes'],
  discardWorkflowDraft: ['agents:write', 'writes'],
  restoreWorkflowVersion: ['agents:write', 'writes'],
  downloadWorkflowReport: ['read', 'reads'],
  listWorkflowTemplates: ['open', null],
  duplicateWorkflowTemplate: ['agents:write', 'writes'],
  generateWorkflow: ['agents:write', 'writes'],
  listFolders: ['read', 'reads'],
  createFolder: ['agents:write', 'writes'],
  renameFolder: ['agents:write', 'writes'],
  deleteFolder: ['agents:write', 'writes'],
  createTextSession: ['calls:trigger', 'calls'],
  getTextSession: ['read', 'reads'],
  sendTextMessage: ['calls:trigger', 'writes'],
  rewindTextSession: ['calls:trigger', 'writes'],
  endTextSession: ['calls:trigger', 'writes'],
  listRuns: ['read', 'reads'],
  createRun: ['calls:trigger', 'writes'],
  getRun: ['read', 'reads'],
  eraseRun: ['admin', 'writes'],
  judgeRun: ['calls:trigger', 'writes'],
  callByPathTest: ['calls:trigger', 'calls'],
  callByAgentTest: ['calls:trigger', 'calls'],
  callByAgent: ['calls:trigger', 'calls'],
  callByPath: ['calls:trigger', 'calls'],
  initiateCall: ['calls:trigger', 'calls'],
  listTelephonyProviders: ['read', 'reads'],
  getTelephonyWarnings: ['read', 'reads'],
  listTelephonyConfigurations: ['read', 'reads'],
  createTelephonyConfiguration: ['admin', 'writes'],
  getTelephonyConfiguration: ['read', 'reads'],
  updateTelephonyConfiguration: ['admin', 'writes'],
  deleteTelephonyConfiguration: ['admin', 'writes'],
  setDefaultOutbound: ['admin', 'writes'],
  reactivateTelephonyConfiguration: ['admin', 'writes'],
  listTrunks: ['read', 'reads'],
  listPhoneNumbers: ['read', 'reads'],
  createPhoneNumber: ['admin', 'writes'],
  getPhoneNumber: ['read', 'reads'],
  updatePhoneNumber: ['admin', 'writes'],
  deletePhoneNumber: ['admin', 'writes'],
  setDefaultCaller: ['admin', 'writes'],
  listCampaigns: ['read', 'reads'],
  createCampaign: ['calls:trigger', 'writes'],
  estimateCampaign: ['calls:trigger', 'reads'],
  getCampaignDefaults: ['read', 'reads'],
  getCampaign: ['read', 'reads'],
  updateCampaign: ['calls:trigger', 'writes'],
  startCampaign: ['calls:trigger', 'writes'],
  pauseCampaign: ['calls:trigger', 'writes'],
  resumeCampaign: ['calls:trigger', 'writes'],
  stopCampaign: ['calls:trigger', 'writes'],
  redialCampaign: ['calls:trigger', 'writes'],
  getCampaignProgress: ['read', 'reads'],
  getCampaignEstimate: ['read', 'reads'],
  getCampaignActivity: ['read', 'reads'],
  listCampaignRuns: ['read', 'reads'],
  downloadCampaignReport: ['read', 'reads'],
  getCampaignSource: ['people:read', 'reads'],
  listCampaignRows: ['read', 'reads'],
  getCampaignRow: ['read', 'reads'],
  exportCampaign: ['people:read', 'reads'],
  presignUpload: ['calls:trigger', 'writes'],
  presignAmbientNoise: ['agents:write', 'writes'],
  uploadFile: ['open', 'downloads'],
  uploadDirectory: ['calls:trigger', 'writes'],
  listDirectories: ['read', 'reads'],
  getDirectory: ['read', 'reads'],
  updateDirectory: ['calls:trigger', 'writes'],
  deleteDirectory: ['calls:trigger', 'writes'],
  previewDirectory: ['people:read', 'reads'],
  checkDirectory: ['calls:trigger', 'writes'],
  cancelDirectoryCheck: ['calls:trigger', 'writes'],
  repairDirectory: ['calls:trigger', 'writes'],
  listContacts: ['people:read', 'reads'],
  downloadDirectoryErrors: ['people:read', 'reads'],
  fitDirectory: ['read', 'reads'],
  signUrl: ['people:read', 'reads'],
  createDownloadTicket: ['read', 'reads'],
  getFileMetadata: ['read', 'reads'],
  downloadArtifact: ['open', 'downloads'],
  readPublicFile: ['open', 'downloads'],
  listNodeTypes: ['read', 'reads'],
  getNodeType: ['read', 'reads'],
  listDocuments: ['read', 'reads'],
  presignDocument: ['agents:write', 'writes'],
  processDocument: ['agents:write', 'writes'],
  getDocument: ['read', 'reads'],
  deleteDocument: ['agents:write', 'writes'],
  searchDocuments: ['agents:write', 'writes'],
  presignRecordings: ['agents:write', 'writes'],
  listRecordings: ['read', 'reads'],
  registerRecordings: ['agents:write', 'writes'],
  renameRecording: ['agents:write', 'writes'],
  deleteRecording: ['agents:write', 'writes'],
  getOrganizationContext: ['read', 'reads'],
  getPreferences: ['read', 'reads'],
  updatePreferences: ['admin', 'writes'],
  listDispositionCodes: ['read', 'reads'],
  getConfigurationDefaults: ['read', 'reads'],
  listCredentials: ['read', 'reads'],
  createCredential: ['agents:write', 'writes'],
  getCredential: ['read', 'reads'],
  updateCredential: ['agents:write', 'writes'],
  deleteCredential: ['agents:write', 'writes'],
  listTools: ['read', 'reads'],
  createTool: ['agents:write', 'writes'],
  getTool: ['read', 'reads'],
  updateTool: ['agents:write', 'writes'],
  archiveTool: ['agents:write', 'writes'],
  unarchiveTool: ['agents:write', 'writes'],
  testTool: ['agents:write', 'writes'],
  listWebhookSecrets: ['admin', 'reads'],
  createWebhookSecret: ['admin', 'writes'],
  retireWebhookSecret: ['admin', 'writes'],
  listWebhookDeliveries: ['read', 'reads'],
  resendWebhookDeliveries: ['webhooks:replay', 'writes'],
  getWebhookDelivery: ['read', 'reads'],
  resendWebhookDelivery: ['webhooks:replay', 'writes'],
  listWebhookEndpoints: ['read', 'reads'],
  turnOnWebhookEndpoint: ['webhooks:replay', 'writes'],
  testWebhookEndpoint: ['webhooks:replay', 'writes'],
  previewWebhook: ['people:read', 'reads'],
  getRetention: ['read', 'reads'],
  setRetention: ['admin', 'writes'],
  previewRetention: ['read', 'reads'],
  signUp: ['open', null],
  logIn: ['open', null],
  signInByLink: ['open', null],
  logOut: ['account:write', 'writes'],
  changePassword: ['account:write', 'writes'],
  listSessions: ['account:write', 'reads'],
  endOtherSessions: ['account:write', 'writes'],
  endSession: ['account:write', 'writes'],
  getMe: ['read', 'reads'],
  getAuthUser: ['read', 'reads'],
  getOnboardingState: ['read', 'reads'],
  updateOnboardingState: ['account:write', 'writes'],
  listMembers: ['read', 'reads'],
  changeRole: ['admin', 'writes'],
  removeMember: ['admin', 'writes'],
  transferOwnership: ['admin', 'writes'],
  leaveOrganization: ['account:write', 'writes'],
  createInvitation: ['admin', 'writes'],
  listInvitations: ['admin', 'reads'],
  revokeInvitation: ['admin', 'writes'],
  readInvitation: ['open', null],
  acceptInvitation: ['open', null],
  acceptOwnInvitation: ['account:write', 'writes'],
  createPasswordLink: ['admin', 'writes'],
  readPasswordLink: ['open', null],
  setPasswordByLink: ['open', null],
  listOwnOrganizations: ['account:write', 'reads'],
  switchOrganization: ['account:write', 'writes'],
  listApiKeys: ['read', 'reads'],
  createApiKey: ['keys:write', 'writes'],
  archiveApiKey: ['keys:write', 'writes'],
  reactivateApiKey: ['keys:write', 'writes'],
  rotateApiKey: ['keys:write', 'writes'],
  listSuppressions: ['people:read', 'reads'],
  suppressNumbers: ['calls:trigger', 'writes'],
  importSuppressions: ['calls:trigger', 'writes'],
  exportSuppressions: ['people:read', 'reads'],
  removeSuppression: ['admin', 'writes'],
  getDialPolicy: ['read', 'reads'],
  setDialPolicy: ['admin', 'writes'],
  getDialing: ['read', 'reads'],
  stopDialing: ['dialing:stop', 'writes'],
  resumeDialing: ['admin', 'writes'],
  listUsageRuns: ['read', 'reads'],
  downloadUsageReport: ['read', 'reads'],
  getCurrentUsage: ['read', 'reads'],
  getDailyUsage: ['read', 'reads'],
  getCallReport: ['read', 'reads'],
  getDailyReport: ['read', 'reads'],
  listDailyRuns: ['read', 'reads'],
  listReportWorkflows: ['read', 'reads'],
  getModelConfiguration: ['read', 'reads'],
  saveModelConfiguration: ['admin', 'writes'],
  getModelCatalog: ['read', 'reads'],
  getModelPricing: ['read', 'reads'],
  previewModelMigration: ['read', 'reads'],
  migrateModels: ['admin', 'writes'],
  getUserConfiguration: ['read', 'reads'],
  saveUserConfiguration: ['admin', 'writes'],
  validateUserConfiguration: ['admin', 'reads'],
  listVoices: ['read', 'reads'],
  sampleVoice: ['agents:write', 'writes'],
  listAuditLog: ['admin', 'reads'],
  getAuditEntry: ['admin', 'reads'],
  getHealth: ['open', null],
  getActiveCalls: ['open', null],
  getAutoscaleMetric: ['open', null],
  getDescription: ['open', null],
  getReference: ['open', null],
  getReferenceAsset: ['open', null],
  getLiveness: ['open', null],
  getReadiness: ['open', null],
};

const names = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(routes, name));
const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument()));

describe('access to routes', () => {
  test('each route has the decided scope and group of limits', () => {
    const declared = (route: Route) => [route.auth === 'none' ? 'open' : route.scope, groupOf(route)];
    expect(Object.fromEntries(names.map((name) => [name, declared(routes[name])]))).toEqual(access);
  });

  test('each change needs more than the scope read', () => {
    const changes = Object.values<Route>(routes).filter(
      ({ method, auth }) => method !== 'get' && auth !== 'none',
    );
    // It changes nothing, and needs the scope of its download as well.
    const reading = ['createDownloadTicket'];
    expect(changes.filter(({ scope }) => scope === 'read').map(({ id }) => id)).toEqual(reading);
    expect(changes.length).toBeGreaterThan(80);
  });

  test('each route with limits describes their headers, and no other route does', () => {
    const described = (name: RouteName) => {
      const answer = at(document, 'paths', fullPath(routes[name]), routes[name].method, 'responses', '429');
      const shared = at(answer, '$ref');
      const headers = at(
        typeof shared === 'string' ? at(document, ...shared.slice(2).split('/')) : answer,
        'headers',
      );
      const limits = ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((header) =>
        at(headers, header, '$ref'),
      );
      return groupOf(routes[name]) === null ? limits.slice(0, 2) : limits; // Retry-After has other reasons, too
    };
    const expected = (name: RouteName) =>
      groupOf(routes[name]) === null
        ? [undefined, undefined]
        : [
            '#/components/headers/RateLimit-Policy',
            '#/components/headers/RateLimit',
            '#/components/headers/Retry-After',
          ];
    expect(Object.fromEntries(names.map((name) => [name, described(name)]))).toEqual(
      Object.fromEntries(names.map((name) => [name, expected(name)])),
    );
  });
});
