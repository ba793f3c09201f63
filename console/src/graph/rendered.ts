import { type JsonObject, ownText } from '../../../src/domain/graph/definition.ts';
import { createRenderer, type TimeZones } from '../../../src/domain/template/renderer.ts';
import { promptVariables } from '../../../src/domain/template/variables.ts';
import { isZone } from '../app/zone.ts';
import type { Draft, GraphNode } from './draft.ts';

/** The browser's own time zones; calls use the server's. */
const browserZones: TimeZones = {
  isZone,
  timeText: ({ kind, zone, now }) => {
    const part = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('sv', { timeZone: zone, ...options }).format(now);
    if (kind === 'current_weekday')
      return new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'long' }).format(now);
    const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value;
    return `${part({ dateStyle: 'short', timeStyle: 'medium' })} ${name ?? zone}`;
  },
};

const { renderSystemPrompt, renderTemplate } = createRenderer(browserZones);

/** A text with the test values in its variables, after the global prompt if there is one. */
export const renderedText = (
  text: string,
  { values, globalPrompt, now }: { values: Draft['values']; globalPrompt: string | null; now: Date },
): string => renderSystemPrompt({ globalPrompt, nodePrompt: text, variables: promptVariables(values), now });

/** A spoken line with these values in its variables. */
export const renderedLine = (text: string, { values, now }: { values: JsonObject; now: Date }): string =>
  renderTemplate(text, { variables: promptVariables(values), now });

/** The prompt of the global node, if the step adds it to its own (contract 2.3). */
export function globalPromptOf({ nodes }: Draft, step: GraphNode): string | null {
  const shared = nodes.find(({ type }) => type === 'globalNode');
  return shared === undefined || step.data['add_global_prompt'] === false
    ? null
    : (ownText(shared.data, 'prompt') ?? null);
}
