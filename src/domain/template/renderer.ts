import { parseTemplate, type Segment } from './parse.ts';
import { readTimeName, type TimeName } from './time.ts';
import { lookUp, textOf, type Variables } from './variables.ts';

export interface Rendering {
  variables: Variables;
  /** The same time for every text of a call: its start (contract 7.3). */
  now: Date;
}

/** Time zones, which a server and a browser know from different data. */
export interface TimeZones {
  /** True for an exact IANA name. */
  isZone: (name: string) => boolean;
  /** `2026-11-20 15:43:04 IST`, or the English name of the day. */
  timeText: (asked: { kind: TimeName['kind']; zone: string; now: Date }) => string;
}

export interface Renderer {
  /** Renders one text (contract 7.1-7.3). Never throws. Values are inserted unchanged and never rendered again. */
  renderTemplate: (template: string, rendering: Rendering) => string;
  /**
   * Renders the system prompt of a node: the global prompt, a blank line, the node's prompt. Both count as one
   * text for the time zone of time variables without a suffix (contract 7.3), but a placeholder cannot span
   * both. Null or blank = no global prompt.
   */
  renderSystemPrompt: (prompts: Rendering & { globalPrompt: string | null; nodePrompt: string }) => string;
  /** Renders every text inside a payload template, keys included; other values pass unchanged (contract 7.2). */
  renderPayload: (template: unknown, rendering: Rendering) => unknown;
}

const defaultZone = 'UTC';

/** Renders templates with these time zones. */
export function createRenderer(zones: TimeZones): Renderer {
  const renderTemplate: Renderer['renderTemplate'] = (template, rendering) => {
    const segments = parseTemplate(template);
    return fill(segments, { ...rendering, zones, zone: inferZone(segments, rendering.variables, zones) });
  };
  const renderSystemPrompt: Renderer['renderSystemPrompt'] = ({ globalPrompt, nodePrompt, ...rendering }) => {
    const parts = [globalPrompt ?? '', nodePrompt].filter((part) => part.trim() !== '').map(parseTemplate);
    const zone = inferZone(parts.flat(), rendering.variables, zones);
    return parts.map((part) => fill(part, { ...rendering, zones, zone })).join('\n\n');
  };
  const renderPayload: Renderer['renderPayload'] = (template, rendering) => {
    if (typeof template === 'string') return renderTemplate(template, rendering);
    if (Array.isArray(template)) return template.map((each: unknown) => renderPayload(each, rendering));
    if (typeof template !== 'object' || template === null) return template;
    return Object.fromEntries(
      Object.entries(template).map(([key, each]: [string, unknown]) => [
        renderTemplate(key, rendering),
        renderPayload(each, rendering),
      ]),
    );
  };
  return { renderTemplate, renderSystemPrompt, renderPayload };
}

type Context = Rendering & { zones: TimeZones; zone: string };

function fill(segments: readonly Segment[], context: Context): string {
  // guarantee: value-not-rendered-as-template
  return segments
    .map((segment) => (segment.kind === 'text' ? segment.text : valueText(segment, context)))
    .join('');
}

function valueText(
  { name, defaultText }: Extract<Segment, { kind: 'placeholder' }>,
  { variables, now, zones, zone }: Context,
): string {
  const time = readTime(name, variables, zones);
  const text = time === null ? textOf(lookUp(variables, name)) : timeOrNothing({ time, now, zone, zones });
  // guarantee: empty-variable-gets-default
  return text === '' ? (defaultText ?? '') : text;
}

function timeOrNothing({
  time,
  now,
  zone,
  zones,
}: Pick<Context, 'now' | 'zone' | 'zones'> & { time: TimeName }): string {
  const used = time.zone ?? zone;
  return zones.isZone(used) ? zones.timeText({ kind: time.kind, zone: used, now }) : '';
}

/**
 * The time zone of the first time variable with a suffix, in text order; UTC when it is unknown or there is
 * none.
 */
function inferZone(segments: readonly Segment[], variables: Variables, zones: TimeZones): string {
  for (const segment of segments) {
    const zone = segment.kind === 'placeholder' ? readTime(segment.name, variables, zones)?.zone : null;
    if (typeof zone === 'string') return zones.isZone(zone) ? zone : defaultZone;
  }
  return defaultZone;
}

/**
 * A customer's own `current_time_slot` is not a time variable: its suffix is not a time zone and the name has
 * a value.
 */
function readTime(name: string, variables: Variables, { isZone }: TimeZones): TimeName | null {
  const time = readTimeName(name);
  if (time === null || time.zone === null || isZone(time.zone)) return time;
  return lookUp(variables, name) === undefined ? time : null;
}
