import type { ToolTestDeps } from '../services/agents/index.ts';
import type { ServiceContext } from '../services/kernel/index.ts';
import type { Handlers } from './bind.ts';
import { downloadTicketHandlers } from './download-tickets.ts';
import { agentLibraryHandlers } from './routes/agent-library.ts';
import { agentTemplateHandlers, type AgentTemplateRouteDeps } from './routes/agent-templates.ts';
import { agentHandlers } from './routes/agents.ts';
import { apiKeyHandlers } from './routes/api-keys.ts';
import { auditLogHandlers } from './routes/audit-log.ts';
import { callHandlers, type CallRouteDeps } from './routes/calls.ts';
import { campaignHandlers, type CampaignRouteDeps } from './routes/campaigns.ts';
import { credentialHandlers, type CredentialRouteDeps } from './routes/credentials.ts';
import { dialingHandlers, type DialingRouteDeps } from './routes/dialing.ts';
import { directoryHandlers, type DirectoryRouteDeps } from './routes/directories.ts';
import { devopsHandlers, type DevopsRouteDeps } from './routes/devops.ts';
import { downloadHandlers, type DownloadRouteDeps } from './routes/downloads.ts';
import { eventHandlers, type EventRouteDeps } from './routes/events.ts';
import { fileHandlers, type FileRouteDeps } from './routes/files.ts';
import { libraryHandlers } from './routes/libraries.ts';
import { modelHandlers, type ModelRouteDeps } from './routes/models.ts';
import { nodeTypeHandlers } from './routes/node-types.ts';
import { peopleHandlers } from './routes/people.ts';
import { recordingHandlers, type RecordingRouteDeps } from './routes/recordings.ts';
import { referenceHandlers, type ReferenceRouteDeps } from './routes/reference.ts';
import { retentionHandlers } from './routes/retention.ts';
import { organizationHandlers } from './routes/organizations.ts';
import { suppressionHandlers } from './routes/suppressions.ts';
import { serviceHandlers, type ServiceRouteDeps } from './routes/service.ts';
import { usageHandlers } from './routes/usage.ts';
import { userHandlers, type UserRouteDeps } from './routes/users.ts';
import { webhookDeliveryHandlers } from './routes/webhook-deliveries.ts';
import {
  connectionHandlers,
  phoneNumberHandlers,
  type ConnectionRouteDeps,
} from './routes/telephony-configurations.ts';
import { telephonyHandlers, type TelephonyRouteDeps } from './routes/telephony.ts';
import { toolHandlers } from './routes/tools.ts';
import { webhookEndpointHandlers, type WebhookEndpointRouteDeps } from './routes/webhook-endpoints.ts';
import { webhookSecretHandlers } from './routes/webhook-secrets.ts';
import { textSessionHandlers, type TextSessionRouteDeps } from './routes/text-sessions.ts';

export interface HandlerDeps
  extends
    AgentTemplateRouteDeps,
    CallRouteDeps,
    CampaignRouteDeps,
    ConnectionRouteDeps,
    CredentialRouteDeps,
    DevopsRouteDeps,
    DialingRouteDeps,
    DirectoryRouteDeps,
    DownloadRouteDeps,
    EventRouteDeps,
    FileRouteDeps,
    ModelRouteDeps,
    RecordingRouteDeps,
    ReferenceRouteDeps,
    ServiceRouteDeps,
    TelephonyRouteDeps,
    TextSessionRouteDeps,
    ToolTestDeps,
    UserRouteDeps,
    WebhookEndpointRouteDeps {}

/** Creates the handlers of all routes. */
export function createHandlers(deps: HandlerDeps): Handlers<ServiceContext> {
  const handlers = {
    ...agentHandlers,
    ...agentLibraryHandlers,
    ...agentTemplateHandlers(deps),
    ...apiKeyHandlers,
    ...auditLogHandlers,
    ...callHandlers(deps),
    ...campaignHandlers(deps),
    ...connectionHandlers(deps),
    ...credentialHandlers(deps),
    ...devopsHandlers<ServiceContext>(deps),
    ...dialingHandlers(deps),
    ...directoryHandlers(deps),
    ...downloadHandlers<ServiceContext>(deps),
    ...eventHandlers(deps),
    ...fileHandlers(deps),
    ...libraryHandlers<ServiceContext>(),
    ...modelHandlers(deps),
    ...nodeTypeHandlers<ServiceContext>(),
    ...peopleHandlers(deps),
    ...phoneNumberHandlers(deps),
    ...recordingHandlers(deps),
    ...referenceHandlers<ServiceContext>(deps),
    ...retentionHandlers(),
    ...organizationHandlers,
    ...serviceHandlers<ServiceContext>(deps),
    ...suppressionHandlers(deps),
    ...telephonyHandlers(deps),
    ...textSessionHandlers(deps),
    ...usageHandlers(deps),
    ...userHandlers(deps),
    ...webhookDeliveryHandlers(deps),
    ...toolHandlers(deps),
    ...webhookEndpointHandlers(deps),
    ...webhookSecretHandlers(deps),
  };
  return { ...handlers, ...downloadTicketHandlers(deps, handlers) };
}
