import { isObject, own, ownList, ownObject, ownText, type JsonObject } from '../graph/definition.ts';
import { readNumber } from '../graph/fields.ts';
import { isLearnedName, namesIn } from '../graph/graph-tools.ts';
import { readDialed } from '../phone/dialed.ts';
import { renderTemplate, type Rendering } from '../rendering/render.ts';
import { lookUp, textOf } from '../template/variables.ts';

/** How many seconds the destination may ring. */
export function transferTimeoutSeconds(config: JsonObject): number {
  return Math.min(120, Math.max(5, readNumber(own(config, 'timeout')) ?? 30));
}

/** A number (E.164) or `sip:` address that can be dialed; null if the text is neither. */
export function readDestination(text: string): string | null {
  const trimmed = text.trim();
  return /^sips?:[^\s@]+@[^\s@]+$/i.test(trimmed) ? trimmed : readDialed(trimmed);
}

export interface ChoosingDestination {
  config: JsonObject;
  /** The model's arguments. */
  values: JsonObject;
  rendering: Rendering;
  /** gathered_context, including the newest extraction. */
  gathered: JsonObject;
}

/**
 * Who chooses a destination: the `maker` of the tool wrote it out; it comes from initial_context alone
 * (`context`); or the model, a resolver or a value learned in the `conversation` decides.
 */
export type ChosenBy = 'maker' | 'context' | 'conversation';

export interface ChosenDestination {
  /** Empty if there is none. */
  text: string;
  by: ChosenBy;
}

/** True if an endpoint of the customer is asked for the destination. */
export function asksResolver(config: JsonObject): boolean {
  return own(config, 'destination_source') === 'dynamic' && isObject(own(config, 'resolver'));
}

/**
 * The destination that needs no request to a resolver: the static template, the model's argument, or that of
 * the first matching rule.
 */
export function chooseDestination({
  config,
  values,
  rendering,
  gathered,
}: ChoosingDestination): ChosenDestination {
  const fill = (template: string | undefined): ChosenDestination => ({
    text: template === undefined ? '' : renderTemplate(template, rendering).trim(),
    by: filledBy(template, gathered),
  });
  switch (own(config, 'destination_source')) {
    case 'context_mapping':
      return fill(mapped(ownObject(config, 'context_mapping'), gathered));
    case 'dynamic': {
      const text = textOf(own(values, 'destination')).trim();
      return text === '' ? fill(ownText(config, 'destination')) : { text, by: 'conversation' };
    }
    default:
      return fill(ownText(config, 'destination'));
  }
}

/** A name is a value of the conversation if the conversation has one, because that takes precedence. */
function filledBy(template: string | undefined, gathered: JsonObject): ChosenBy {
  const names = namesIn(template);
  const isLearned = (name: string) => isLearnedName(name) || lookUp(gathered, name) !== undefined;
  if (names.some(isLearned)) return 'conversation';
  return names.length === 0 ? 'maker' : 'context';
}

/** The template of the first matching rule, else that of the fallback. */
function mapped(mapping: JsonObject, gathered: JsonObject): string | undefined {
  for (const rule of ownList(mapping, 'rules').filter(isObject)) {
    const value = valueAt(gathered, ownText(rule, 'context_path') ?? '');
    const route = ownList(rule, 'routes')
      .filter(isObject)
      .find((each) => same(ownText(each, 'context_value') ?? '', value));
    if (value !== '' && route !== undefined) return ownText(route, 'destination');
  }
  return ownText(mapping, 'fallback_destination');
}

const prefix = 'gathered_context.';

function valueAt(gathered: JsonObject, path: string): string {
  const name = path.trim().startsWith(prefix) ? path.trim().slice(prefix.length) : path.trim();
  return textOf(lookUp(gathered, name) ?? lookUp(gathered, `extracted_variables.${name}`)).trim();
}

const same = (left: string, right: string): boolean => left.trim().toLowerCase() === right.toLowerCase();
