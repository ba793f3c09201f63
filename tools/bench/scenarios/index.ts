import type { Scenario } from '../scenario.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureHistories } from './histories.ts';
import { measureMemory } from './memory.ts';
import { measureTemplates } from './templates.ts';
import { measureTurns } from './turn.ts';
import { measureWebhooks } from './webhook.ts';

/** In the order in which they run; the names are those of `--only` and of the blocks in docs/benchmarks.md. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  turn: measureTurns,
  webhook: measureWebhooks,
  deliveries: measureDeliveries,
  templates: measureTemplates,
  histories: measureHistories,
  memory: measureMemory,
};
