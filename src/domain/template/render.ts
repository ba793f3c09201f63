import { parseTemplate, type Segment } from './parse.ts';
import { isZone, readTimeName, timeText, type TimeName } from './time.ts';
import { lookUp, textOf, type Variables } from './variables.ts';

export { payloadVariables, promptVariables, type Variables } from './variables.ts';

export interface Rendering {
  variables: Variables;
  /** The same time for every text of a call: its start (contract 7.3). */
  now: Date;
}

const defaultZone = 'UTC';

/**
 * Renders one text (contract 7.1-7.3). Never throws. Values are inserted unchanged and never rendered again.
 */
export function renderTemplate(template: string, rendering: Rendering): string {
  const segments = parseTemplate(template);
  return fill(segments, { ...rendering, zone: inferZone(segments, rendering.variables) });
}

/**
 * Renders the system prompt of a node: the global prompt, a blank line, the node's prompt. Both count as one
 * text for the time zone of time variables without a suffix (contract 7.3), but a placeholder cannot span
 * both. Null or blank = no global prompt.
 */
export function renderSystemPrompt({
  globalPrompt,
  nodePrompt,
  ...rendering
}: Rendering & { globalPrompt: string | null; nodePrompt: string }): string {
  const parts = [globalPrompt ?? '', nodePrompt].filter((part) => part.trim() !== '').map(parseTemplate);
  const zone = inferZone(parts.flat(), rendering.variables);
  return parts.map((part) => fill(part, { ...rendering, zone })).join('\n\n');
}

/**
 * Renders every text inside a payload template, keys included; other values pass unchanged (contract 7.2).
 */
export function renderPayload(template: unknown, rendering: Rendering): unknown {
  if (typeof template === 'string') return renderTemplate(template, rendering);
  if (Array.isArray(template)) return template.map((each: unknown) => renderPayload(each, rendering));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, each]: [string, unknown]) => [
      renderTemplate(key, rendering),
      renderPayload(each, rendering),
    ]),
  );
}

function fill(segments: readonly Segment[], context: Rendering & { zone: string }): string {
  // guarantee: value-not-rendered-as-template
  return segments
    .map((segment) => (segment.kind === 'text' ? segment.text : valueText(segment, context)))
    .join('');
}

function valueText(
  { name, defaultText }: Extract<Segment, { kind: 'placeholder' }>,
  { variables, now, zone }: Rendering & { zone: string },
): string {
  const time = readTime(name, variables);
  const text = time === null ? textOf(lookUp(variables, name)) : timeOrNothing({ time, now, zone });
  // guarantee: empty-variable-gets-default
  return text === '' ? (defaultText ?? '') : text;
}

function timeOrNothing({ time, now, zone }: { time: TimeName; now: Date; zone: string }): string {
  const used = time.zone ?? zone;
  return isZone(used) ? timeText({ kind: time.kind, zone: used, now }) : '';
}

/**
 * The time zone of the first time variable with a suffix, in text order; UTC when it is unknown or there is
 * none.
 */
function inferZone(segments: readonly Segment[], variables: Variables): string {
  for (const segment of segments) {
    const zone = segment.kind === 'placeholder' ? readTime(segment.name, variables)?.zone : null;
    if (typeof zone === 'string') return isZone(zone) ? zone : defaultZone;
  }
  return defaultZone;
}

/**
 * A customer's own `current_time_slot` is not a time variable: its suffix is not a time zone and the name has
 * a value.
 */
function readTime(name: string, variables: Variables): TimeName | null {
  const time = readTimeName(name);
  if (time === null || time.zone === null || isZone(time.zone)) return time;
  return lookUp(variables, name) === undefined ? time : null;
}
