import { parseTemplate } from './parse.ts';
import { renderTemplate, type Rendering } from './render.ts';
import { lookUp } from './variables.ts';

export type RenderedUrl = { kind: 'url'; url: string } | { kind: 'invalid'; error: string };

/**
 * The address of a tool (contract 7.4). Each value is percent-encoded whole; a value that is absent or empty
 * and has no default, or that is an object or a list, makes the call fail. The scheme is written in the
 * template and cannot come from a value.
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
    // guarantee: no-request-goes-address
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

/** Null for what cannot stand in a URL. A dot segment would change the path around it. */
function valueOf(name: string, defaultText: string | null, rendering: Rendering): string | null {
  const value = lookUp(rendering.variables, name);
  if (typeof value === 'object' && value !== null) return null;
  const rendered = renderTemplate(`{{${name}}}`, rendering);
  const text = rendered === '' ? (defaultText ?? '') : rendered;
  return text === '' || text === '.' || text === '..' || !text.isWellFormed() ? null : text;
}
