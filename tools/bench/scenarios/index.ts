import type { PhoneScenarioName, TextScenarioName } from '../options.ts';
import type { PhoneScenario, Scenario } from '../scenario.ts';
import { measureAgents } from './agents.ts';
import { measureLiveCalls } from './calls-live.ts';
import { measureLosses } from './calls-lost.ts';
import { measureCallMemory } from './calls-memory.ts';
import { measureTriggers } from './calls-triggered.ts';
import { measureWatchers } from './calls-watched.ts';
import { measureCampaignCalls } from './campaign-calls.ts';
import { measureCampaignChanges } from './campaign-changes.ts';
import { measureCampaignHistories } from './campaign-histories.ts';
import { measureMillion } from './campaign-million.ts';
import { measureConsoleRows } from './console-rows.ts';
import { measureConsole } from './console.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureHistories } from './histories.ts';
import { measureImports } from './import.ts';
import { measureMemory } from './memory.ts';
import { measureTemplates } from './templates.ts';
import { measureTurns } from './turn.ts';
import { measureWebhooks } from './webhook.ts';

export const textScenarios: Readonly<Record<TextScenarioName, Scenario>> = {
  turn: measureTurns,
  webhook: measureWebhooks,
  deliveries: measureDeliveries,
  agents: measureAgents,
  templates: measureTemplates,
  histories: measureHistories,
  import: measureImports,
  memory: measureMemory,
  console: measureConsole,
};

export const phoneScenarios: Readonly<Record<PhoneScenarioName, PhoneScenario>> = {
  'calls-live': measureLiveCalls,
  'calls-lost': measureLosses,
  'calls-triggered': measureTriggers,
  'calls-watched': measureWatchers,
  'calls-memory': measureCallMemory,
  'campaign-calls': measureCampaignCalls,
  'campaign-changes': measureCampaignChanges,
  'campaign-million': measureMillion,
  'campaign-histories': measureCampaignHistories,
  'console-rows': measureConsoleRows,
};
