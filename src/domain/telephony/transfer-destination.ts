import { isObject, own, ownList, ownObject, ownText, type JsonObject } from '../graph/definition.ts';
import { readNumber } from '../graph/fields.ts';
import { readDialed } from '../phone/dialed.ts';
import { renderTemplate, type Rendering } from '../template/render.ts';
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
 * The destination that needs no request to a resolver: the static template, the model's argument, or that of
 * the first matching rule. Empty if there is none.
 */
export function chooseDestination({ config, values, rendering, gathered }: ChoosingDestination): string {
  switch (own(config, 'destination_source')) {
    case 'context_mapping':
      return mapped(ownObject(config, 'context_mapping'), gathered, rendering);
    case 'dynamic':
      return textOf(own(values, 'destination')).trim() || rendered(ownText(config, 'destination'), rendering);
    default:
      return rendered(ownText(config, 'destination'), rendering);
  }
}

function mapped(mapping: JsonObject, gathered: JsonObject, rendering: Rendering): string {
  for (const rule of ownList(mapping, 'rules').filter(isObject)) {
    const value = valueAt(gathered, ownText(rule, 'context_path') ?? '');
    const route = ownList(rule, 'routes')
      .filter(isObject)
      .find((each) => same(ownText(each, 'context_value') ?? '', value));
    if (value !== '' && route !== undefined) return rendered(ownText(route, 'destination'), rendering);
  }
  return rendered(ownText(mapping, 'fallback_destination'), rendering);
}

const prefix = 'gathered_context.';

function valueAt(gathered: JsonObject, path: string): string {
  const name = path.trim().startsWith(prefix) ? path.trim().slice(prefix.length) : path.trim();
  return textOf(lookUp(gathered, name) ?? lookUp(gathered, `extracted_variables.${name}`)).trim();
}

const same = (left: string, right: string): boolean => left.trim().toLowerCase() === right.toLowerCase();

const rendered = (template: string | null | undefined, rendering: Rendering): string =>
  template == null ? '' : renderTemplate(template, rendering).trim();
