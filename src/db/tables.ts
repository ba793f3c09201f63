import { organizations } from './tables/organizations.ts';
import { retentionPolicies } from './tables/retention-policies.ts';
import { modelConfigurations } from './tables/model-configurations.ts';
import { organizationPreferences } from './tables/organization-preferences.ts';
import { users } from './tables/users.ts';
import { memberships } from './tables/memberships.ts';
import { invitations } from './tables/invitations.ts';
import { sessions } from './tables/sessions.ts';
import { signInLinks } from './tables/sign-in-links.ts';
import { secondFactors } from './tables/second-factors.ts';
import { apiKeys } from './tables/api-keys.ts';
import { folders } from './tables/folders.ts';
import { agents } from './tables/agents.ts';
import { agentVersions } from './tables/agent-versions.ts';
import { triggerPaths } from './tables/trigger-paths.ts';
import { telephonyConfigurations } from './tables/telephony-configurations.ts';
import { phoneNumbers } from './tables/phone-numbers.ts';
import { credentials } from './tables/credentials.ts';
import { tools } from './tables/tools.ts';
import { calls } from './tables/calls.ts';
import { phoneLegs } from './tables/phone-legs.ts';
import { carrierEvents } from './tables/carrier-events.ts';
import { mediaHosts } from './tables/media-hosts.ts';
import { callSeats } from './tables/call-seats.ts';
import { journalEntries } from './tables/journal-entries.ts';
import { callRecordings } from './tables/call-recordings.ts';
import { textSessions } from './tables/text-sessions.ts';
import { lineRecordings } from './tables/line-recordings.ts';
import { callSummaries } from './tables/call-summaries.ts';
import { turns } from './tables/turns.ts';
import { extractions } from './tables/extractions.ts';
import { toolRuns } from './tables/tool-runs.ts';
import { failedTurns } from './tables/failed-turns.ts';
import { wastedUsage } from './tables/wasted-usage.ts';
import { deliveries } from './tables/deliveries.ts';
import { deliveryAttempts } from './tables/delivery-attempts.ts';
import { webhookEndpointSwitches } from './tables/webhook-endpoint-switches.ts';
import { webhookSecrets } from './tables/webhook-secrets.ts';
import { idempotencyKeys } from './tables/idempotency-keys.ts';
import { directories } from './tables/directories.ts';
import { contactBlocks } from './tables/contact-blocks.ts';
import { contacts } from './tables/contacts.ts';
import { suppressions } from './tables/suppressions.ts';
import { dialPolicies } from './tables/dial-policies.ts';
import { carrierOutages } from './tables/carrier-outages.ts';
import { installationStops } from './tables/installation-stops.ts';
import { campaigns } from './tables/campaigns.ts';
import { campaignTargets } from './tables/campaign-targets.ts';
import { campaignAttempts } from './tables/campaign-attempts.ts';
import { campaignLogs } from './tables/campaign-logs.ts';
import { numberDials } from './tables/number-dials.ts';
import { organizationDays } from './tables/organization-days.ts';
import { auditEvents } from './tables/audit-events.ts';

/** Every table, in the order of the references between them. */
export const tables = [
  organizations,
  organizationPreferences,
  organizationDays,
  modelConfigurations,
  retentionPolicies,
  users,
  memberships,
  invitations,
  sessions,
  signInLinks,
  secondFactors,
  apiKeys,
  folders,
  agents,
  agentVersions,
  triggerPaths,
  telephonyConfigurations,
  phoneNumbers,
  credentials,
  tools,
  lineRecordings,
  directories,
  contacts,
  contactBlocks,
  suppressions,
  dialPolicies,
  carrierOutages,
  installationStops,
  campaigns,
  calls,
  campaignTargets,
  campaignAttempts,
  campaignLogs,
  numberDials,
  phoneLegs,
  carrierEvents,
  mediaHosts,
  callSeats,
  journalEntries,
  callRecordings,
  textSessions,
  turns,
  toolRuns,
  extractions,
  callSummaries,
  wastedUsage,
  failedTurns,
  deliveries,
  deliveryAttempts,
  webhookEndpointSwitches,
  webhookSecrets,
  idempotencyKeys,
  auditEvents,
] as const;
