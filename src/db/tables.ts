import { organizations } from './tables/organizations.ts';
import { retentionPolicies } from './tables/retention-policies.ts';
import { organizationPreferences } from './tables/organization-preferences.ts';
import { users } from './tables/users.ts';
import { sessions } from './tables/sessions.ts';
import { apiKeys } from './tables/api-keys.ts';
import { folders } from './tables/folders.ts';
import { agents } from './tables/agents.ts';
import { agentVersions } from './tables/agent-versions.ts';
import { triggerPaths } from './tables/trigger-paths.ts';
import { credentials } from './tables/credentials.ts';
import { tools } from './tables/tools.ts';
import { calls } from './tables/calls.ts';
import { textSessions } from './tables/text-sessions.ts';
import { callSummaries } from './tables/call-summaries.ts';
import { turns } from './tables/turns.ts';
import { toolRuns } from './tables/tool-runs.ts';
import { failedTurns } from './tables/failed-turns.ts';
import { wastedUsage } from './tables/wasted-usage.ts';
import { deliveries } from './tables/deliveries.ts';
import { deliveryAttempts } from './tables/delivery-attempts.ts';
import { webhookEndpointSwitches } from './tables/webhook-endpoint-switches.ts';
import { webhookSecrets } from './tables/webhook-secrets.ts';
import { idempotencyKeys } from './tables/idempotency-keys.ts';
import { auditEvents } from './tables/audit-events.ts';

/** Every table, in the order in which rows refer to each other. */
export const tables = [organizations, organizationPreferences, retentionPolicies, users, sessions, apiKeys, folders, agents, agentVersions, triggerPaths, credentials, tools, calls, textSessions, turns, toolRuns, callSummaries, wastedUsage, failedTurns, deliveries, deliveryAttempts, webhookEndpointSwitches, webhookSecrets, idempotencyKeys, auditEvents] as const;
