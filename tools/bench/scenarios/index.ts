import type { ScenarioName } from '../options.ts';
import type { Scenario } from '../scenario.ts';
import { measureAgents } from './agents.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureHistories } from './histories.ts';
import { measureMemory } from './memory.ts';
import { measureTemplates } from './templates.ts';
import { measureTurns } from './turn.ts';
import { measureWebhooks } from './webhook.ts';

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  turn: measureTurns,
  webhook: measureWebhooks,
  deliveries: measureDeliveries,
  agents: measureAgents,
  templates: measureTemplates,
  histories: measureHistories,
  memory: measureMemory,
};
