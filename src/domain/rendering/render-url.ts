import { parseTemplate } from '../template/parse.ts';
import { renderTemplate, type Rendering } from './render.ts';
import { lookUp } from '../template/variables.ts';

export type RenderedUrl = { kind: 'url'; url: string } | { kind: 'invalid'; error: string };

/**
 * Renders the address of a tool (contract 7.4). Each value is percent-encoded as a whole. The address is
 * invalid when a value is an object or a list, or is absent or empty without a default. The template itself
 * must contain the scheme.
 */
export function renderUrl(template: string, rendering: Rendering): RenderedUrl {
  const segments = parseTemplate(template.trim());
  const [first] = segments;
  if (first?.kind !== 'text' || !/^https?:\/\//i.test(first.text))
    return { kind: 'invalid', error: 'the URL does not begin with http:// or https://' };
  let url = '';
  for (const segment of segments) {
    const part =
      segment.kind === 'text' ? segment.text : valueOf(segment.name, segment.defaultText, rendering);
    // guarantee: unsafe-url-value-fails-request
    if (part === null)
      return {
        kind: 'invalid',
        error: `the value of ${segment.kind === 'text' ? '' : segment.name} cannot be part of a URL`,
      };
    url += segment.kind === 'text' ? part : encodeURIComponent(part);
  }
  return URL.canParse(url)
    ? { kind: 'url', url }
    : { kind: 'invalid', error: 'the URL is not valid with these values' };
}

/**
 * The text of a value; null when it cannot be part of a URL. A dot segment would change the path around it.
 */
function valueOf(name: string, defaultText: string | null, rendering: Rendering): string | null {
  const value = lookUp(rendering.variables, name);
  if (typeof value === 'object' && value !== null) return null;
  const rendered = renderTemplate(`{{${name}}}`, rendering);
  const text = rendered === '' ? (defaultText ?? '') : rendered;
  return text === '' || text === '.' || text === '..' || !text.isWellFormed() ? null : text;
}
