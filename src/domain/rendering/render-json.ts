import { parseTemplate } from '../template/parse.ts';
import { renderTemplate, type Rendering } from './render.ts';

/** Where in a JSON text a position is. */
type Place = 'outside' | 'string' | 'escape';

/**
 * Renders a template of JSON text. No value changes its structure: in a string it is escaped, and elsewhere
 * it must be JSON itself. Null if it is not.
 */
export function renderJson(template: string, rendering: Rendering): string | null {
  let json = '';
  let place: Place = 'outside';
  for (const segment of parseTemplate(template)) {
    if (segment.kind === 'text') {
      json += segment.text;
      for (const character of segment.text) place = after(place, character);
      continue;
    }
    const text = renderTemplate(`{{${segment.name}}}`, rendering) || (segment.defaultText ?? '');
    const isSafe = place === 'string' || (place === 'outside' && (text === '' || isJson(text)));
    if (!isSafe) return null;
    json += place === 'string' ? JSON.stringify(text).slice(1, -1) : text;
  }
  return json;
}

function after(place: Place, character: string): Place {
  if (place === 'escape') return 'string';
  if (character === '"') return place === 'string' ? 'outside' : 'string';
  return place === 'string' && character === '\\' ? 'escape' : place;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // a value of the call may be any text
  }
}
