import * as agentLibrary from './agent-library.ts';
import * as agentOverviews from './agent-overviews.ts';
import * as agentReport from './agent-report.ts';
import * as agentTemplates from './agent-templates.ts';
import * as agents from './agents.ts';
import * as apiKeys from './api-keys.ts';
import * as auditLog from './audit-log.ts';
import * as calls from './calls.ts';
import * as campaigns from './campaigns.ts';
import * as credentials from './credentials.ts';
import * as dailyReports from './daily-reports.ts';
import * as dialing from './dialing.ts';
import * as devops from './devops.ts';
import * as directories from './directories.ts';
import * as documents from './documents.ts';
import * as files from './files.ts';
import * as folders from './folders.ts';
import * as modelConfigurations from './model-configurations.ts';
import * as nodeTypes from './node-types.ts';
import * as retention from './retention.ts';
import * as organizations from './organizations.ts';
import * as recordings from './recordings.ts';
import type { Route } from './route.ts';
import * as service from './service.ts';
import * as phoneNumbers from './phone-numbers.ts';
import * as suppressions from './suppressions.ts';
import * as telephonyConfigurations from './telephony-configurations.ts';
import * as telephonyProviders from './telephony-providers.ts';
import * as telephony from './telephony.ts';
import * as textSessions from './text-sessions.ts';
import * as tools from './tools.ts';
import * as usage from './usage.ts';
import * as users from './users.ts';
import * as webhookDeliveries from './webhook-deliveries.ts';
import * as webhookEndpoints from './webhook-endpoints.ts';
import * as webhookSecrets from './webhook-secrets.ts';

/**
 * The table of all endpoints, from which the binder, the OpenAPI document and the tests are built. A literal
 * segment stands before a parameter in the same place.
 */
export const routes = {
  createWorkflow: agents.createWorkflow,
  generateWorkflow: agentTemplates.generateWorkflow,
  listWorkflows: agents.listWorkflows,
  countWorkflows: agentLibrary.countWorkflows,
  summarizeWorkflows: agentLibrary.summarizeWorkflows,
  listWorkflowOverviews: agentOverviews.listWorkflowOverviews,
  validateDefinition: agents.validateDefinition,
  listWorkflowTemplates: agentTemplates.listWorkflowTemplates,
  duplicateWorkflowTemplate: agentTemplates.duplicateWorkflowTemplate,
  getWorkflow: agents.getWorkflow,
  updateWorkflow: agents.updateWorkflow,
  publishWorkflow: agents.publishWorkflow,
  createWorkflowDraft: agents.createWorkflowDraft,
  listWorkflowVersions: agents.listWorkflowVersions,
  getWorkflowVersion: agents.getWorkflowVersion,
  listWorkflowVariables: agents.listWorkflowVariables,
  validateWorkflow: agents.validateWorkflow,
  changeWorkflowStatus: agentLibrary.changeWorkflowStatus,
  duplicateWorkflow: agentLibrary.duplicateWorkflow,
  moveWorkflowToFolder: agentLibrary.moveWorkflowToFolder,
  discardWorkflowDraft: agentLibrary.discardWorkflowDraft,
  restoreWorkflowVersion: agentLibrary.restoreWorkflowVersion,
  downloadWorkflowReport: agentReport.downloadWorkflowReport,
  listFolders: folders.listFolders,
  createFolder: folders.createFolder,
  renameFolder: folders.renameFolder,
  deleteFolder: folders.deleteFolder,
  createTextSession: textSessions.createTextSession,
  getTextSession: textSessions.getTextSession,
  sendTextMessage: textSessions.sendTextMessage,
  rewindTextSession: textSessions.rewindTextSession,
  endTextSession: textSessions.endTextSession,
  listRuns: calls.listRuns,
  createRun: calls.createRun,
  getRun: calls.getRun,
  callByPathTest: telephony.callByPathTest,
  callByAgentTest: telephony.callByAgentTest,
  callByAgent: telephony.callByAgent,
  callByPath: telephony.callByPath,
  initiateCall: telephony.initiateCall,
  listTelephonyProviders: telephonyProviders.listTelephonyProviders,
  getTelephonyWarnings: telephonyProviders.getTelephonyWarnings,
  listTelephonyConfigurations: telephonyConfigurations.listTelephonyConfigurations,
  createTelephonyConfiguration: telephonyConfigurations.createTelephonyConfiguration,
  getTelephonyConfiguration: telephonyConfigurations.getTelephonyConfiguration,
  updateTelephonyConfiguration: telephonyConfigurations.updateTelephonyConfiguration,
  deleteTelephonyConfiguration: telephonyConfigurations.deleteTelephonyConfiguration,
  setDefaultOutbound: telephonyConfigurations.setDefaultOutbound,
  reactivateTelephonyConfiguration: telephonyConfigurations.reactivateTelephonyConfiguration,
  listTrunks: telephonyConfigurations.listTrunks,
  listPhoneNumbers: phoneNumbers.listPhoneNumbers,
  createPhoneNumber: phoneNumbers.createPhoneNumber,
  getPhoneNumber: phoneNumbers.getPhoneNumber,
  updatePhoneNumber: phoneNumbers.updatePhoneNumber,
  deletePhoneNumber: phoneNumbers.deletePhoneNumber,
  setDefaultCaller: phoneNumbers.setDefaultCaller,
  listCampaigns: campaigns.listCampaigns,
  createCampaign: campaigns.createCampaign,
  getCampaignDefaults: campaigns.getCampaignDefaults,
  getCampaign: campaigns.getCampaign,
  updateCampaign: campaigns.updateCampaign,
  startCampaign: campaigns.startCampaign,
  pauseCampaign: campaigns.pauseCampaign,
  resumeCampaign: campaigns.resumeCampaign,
  stopCampaign: campaigns.stopCampaign,
  redialCampaign: campaigns.redialCampaign,
  getCampaignProgress: campaigns.getCampaignProgress,
  listCampaignRuns: campaigns.listCampaignRuns,
  downloadCampaignReport: campaigns.downloadCampaignReport,
  getCampaignSource: campaigns.getCampaignSource,
  listCampaignRows: campaigns.listCampaignRows,
  getCampaignRow: campaigns.getCampaignRow,
  exportCampaign: campaigns.exportCampaign,
  presignUpload: files.presignUpload,
  presignAmbientNoise: files.presignAmbientNoise,
  uploadFile: files.uploadFile,
  signUrl: files.signUrl,
  getFileMetadata: files.getFileMetadata,
  downloadArtifact: calls.downloadArtifact,
  readPublicFile: calls.readPublicFile,
  listSuppressions: suppressions.listSuppressions,
  suppressNumbers: suppressions.suppressNumbers,
  importSuppressions: suppressions.importSuppressions,
  exportSuppressions: suppressions.exportSuppressions,
  removeSuppression: suppressions.removeSuppression,
  getDialPolicy: dialing.getDialPolicy,
  setDialPolicy: dialing.setDialPolicy,
  getDialing: dialing.getDialing,
  stopDialing: dialing.stopDialing,
  resumeDialing: dialing.resumeDialing,
  listUsageRuns: usage.listUsageRuns,
  downloadUsageReport: usage.downloadUsageReport,
  getCurrentUsage: usage.getCurrentUsage,
  getDailyUsage: usage.getDailyUsage,
  getDailyReport: dailyReports.getDailyReport,
  listDailyRuns: dailyReports.listDailyRuns,
  listReportWorkflows: dailyReports.listReportWorkflows,
  listNodeTypes: nodeTypes.listNodeTypes,
  getNodeType: nodeTypes.getNodeType,
  listDocuments: documents.listDocuments,
  presignDocument: documents.presignDocument,
  processDocument: documents.processDocument,
  getDocument: documents.getDocument,
  deleteDocument: documents.deleteDocument,
  searchDocuments: documents.searchDocuments,
  uploadDirectory: directories.uploadDirectory,
  listDirectories: directories.listDirectories,
  getDirectory: directories.getDirectory,
  updateDirectory: directories.updateDirectory,
  deleteDirectory: directories.deleteDirectory,
  previewDirectory: directories.previewDirectory,
  checkDirectory: directories.checkDirectory,
  cancelDirectoryCheck: directories.cancelDirectoryCheck,
  repairDirectory: directories.repairDirectory,
  listContacts: directories.listContacts,
  downloadDirectoryErrors: directories.downloadDirectoryErrors,
  fitDirectory: directories.fitDirectory,
  presignRecordings: recordings.presignRecordings,
  listRecordings: recordings.listRecordings,
  registerRecordings: recordings.registerRecordings,
  renameRecording: recordings.renameRecording,
  deleteRecording: recordings.deleteRecording,
  getOrganizationContext: organizations.getOrganizationContext,
  getPreferences: organizations.getPreferences,
  updatePreferences: organizations.updatePreferences,
  listDispositionCodes: organizations.listDispositionCodes,
  getConfigurationDefaults: organizations.getConfigurationDefaults,
  getModelConfiguration: modelConfigurations.getModelConfiguration,
  saveModelConfiguration: modelConfigurations.saveModelConfiguration,
  getModelCatalog: modelConfigurations.getModelCatalog,
  getModelPricing: modelConfigurations.getModelPricing,
  previewModelMigration: modelConfigurations.previewModelMigration,
  migrateModels: modelConfigurations.migrateModels,
  getUserConfiguration: modelConfigurations.getUserConfiguration,
  saveUserConfiguration: modelConfigurations.saveUserConfiguration,
  validateUserConfiguration: modelConfigurations.validateUserConfiguration,
  listVoices: modelConfigurations.listVoices,
  sampleVoice: modelConfigurations.sampleVoice,
  listCredentials: credentials.listCredentials,
  createCredential: credentials.createCredential,
  getCredential: credentials.getCredential,
  updateCredential: credentials.updateCredential,
  deleteCredential: credentials.deleteCredential,
  listTools: tools.listTools,
  createTool: tools.createTool,
  getTool: tools.getTool,
  updateTool: tools.updateTool,
  archiveTool: tools.archiveTool,
  unarchiveTool: tools.unarchiveTool,
  testTool: tools.testTool,
  listWebhookSecrets: webhookSecrets.listWebhookSecrets,
  createWebhookSecret: webhookSecrets.createWebhookSecret,
  retireWebhookSecret: webhookSecrets.retireWebhookSecret,
  listWebhookDeliveries: webhookDeliveries.listWebhookDeliveries,
  resendWebhookDeliveries: webhookDeliveries.resendWebhookDeliveries,
  getWebhookDelivery: webhookDeliveries.getWebhookDelivery,
  resendWebhookDelivery: webhookDeliveries.resendWebhookDelivery,
  listSwitchedOffEndpoints: webhookEndpoints.listSwitchedOffEndpoints,
  turnOnWebhookEndpoint: webhookEndpoints.turnOnWebhookEndpoint,
  listAuditLog: auditLog.listAuditLog,
  getAuditEntry: auditLog.getAuditEntry,
  getRetention: retention.getRetention,
  setRetention: retention.setRetention,
  signUp: users.signUp,
  logIn: users.logIn,
  signInByLink: users.signInByLink,
  logOut: users.logOut,
  changePassword: users.changePassword,
  listSessions: users.listSessions,
  endOtherSessions: users.endOtherSessions,
  endSession: users.endSession,
  getMe: users.getMe,
  getAuthUser: users.getAuthUser,
  getOnboardingState: users.getOnboardingState,
  updateOnboardingState: users.updateOnboardingState,
  listApiKeys: apiKeys.listApiKeys,
  createApiKey: apiKeys.createApiKey,
  archiveApiKey: apiKeys.archiveApiKey,
  reactivateApiKey: apiKeys.reactivateApiKey,
  rotateApiKey: apiKeys.rotateApiKey,
  getHealth: service.getHealth,
  getActiveCalls: devops.getActiveCalls,
  getAutoscaleMetric: devops.getAutoscaleMetric,
  getDescription: service.getDescription,
  getReference: service.getReference,
  getReferenceAsset: service.getReferenceAsset,
  getLiveness: service.getLiveness,
  getReadiness: service.getReadiness,
} satisfies Record<string, Route>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
