import { Initial1763700000000 } from './migrations/1763700000000-initial.ts';
import { Tools1763714400000 } from './migrations/1763714400000-tools.ts';
import { DeliveriesBacklog1763715600000 } from './migrations/1763715600000-deliveries-backlog.ts';
import { DeliveryWoken1763715700000 } from './migrations/1763715700000-delivery-woken.ts';
import { WebhookEndpointSwitches1763715800000 } from './migrations/1763715800000-webhook-endpoint-switches.ts';
import { CallSummaries1763716200000 } from './migrations/1763716200000-call-summaries.ts';
import { ToolRuns1763716300000 } from './migrations/1763716300000-tool-runs.ts';
import { Erasure1763717000000 } from './migrations/1763717000000-erasure.ts';
import { Cost1763717200000 } from './migrations/1763717200000-cost.ts';
import { FailedTurns1763717210000 } from './migrations/1763717210000-failed-turns.ts';
import { CallsEnded1763717400000 } from './migrations/1763717400000-calls-ended.ts';
import { Folders1763717600000 } from './migrations/1763717600000-folders.ts';
import { OrganizationPreferences1763717610000 } from './migrations/1763717610000-organization-preferences.ts';
import { ApiKeyScopes1763717800000 } from './migrations/1763717800000-api-key-scopes.ts';
import { Users1763717810000 } from './migrations/1763717810000-users.ts';
import { Telephony1763718000000 } from './migrations/1763718000000-telephony.ts';
import { ModelConfigurations1763718100000 } from './migrations/1763718100000-model-configurations.ts';
import { AuditLog1763718200000 } from './migrations/1763718200000-audit-log.ts';
import { CallsUsage1763718400000 } from './migrations/1763718400000-calls-usage.ts';
import { PhoneCalls1763718600000 } from './migrations/1763718600000-phone-calls.ts';
import { LineRecordings1763718700000 } from './migrations/1763718700000-line-recordings.ts';
import { RecordingAge1763718800000 } from './migrations/1763718800000-recording-age.ts';
import { GivenUpLegs1763718900000 } from './migrations/1763718900000-given-up-legs.ts';
import { Campaigns1763719000000 } from './migrations/1763719000000-campaigns.ts';
import { DialingSwitch1763719100000 } from './migrations/1763719100000-dialing-switch.ts';
import { DirectoriesState1763719200000 } from './migrations/1763719200000-directories-state.ts';
import { WaitsRevised1763719300000 } from './migrations/1763719300000-waits-revised.ts';
import { CarrierOutages1763719400000 } from './migrations/1763719400000-carrier-outages.ts';

/** Every migration, oldest first. */
export const migrations = [
  Initial1763700000000,
  Tools1763714400000,
  DeliveriesBacklog1763715600000,
  DeliveryWoken1763715700000,
  WebhookEndpointSwitches1763715800000,
  CallSummaries1763716200000,
  ToolRuns1763716300000,
  Erasure1763717000000,
  Cost1763717200000,
  FailedTurns1763717210000,
  CallsEnded1763717400000,
  Folders1763717600000,
  OrganizationPreferences1763717610000,
  ApiKeyScopes1763717800000,
  Users1763717810000,
  Telephony1763718000000,
  ModelConfigurations1763718100000,
  AuditLog1763718200000,
  CallsUsage1763718400000,
  PhoneCalls1763718600000,
  LineRecordings1763718700000,
  RecordingAge1763718800000,
  GivenUpLegs1763718900000,
  Campaigns1763719000000,
  DialingSwitch1763719100000,
  DirectoriesState1763719200000,
  WaitsRevised1763719300000,
  CarrierOutages1763719400000,
] as const;
