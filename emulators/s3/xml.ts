const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

type Value = string | number | boolean | Content | Content[];

/** Elements by name; a list is one element for each entry. */
interface Content {
  [name: string]: Value;
}

/** `<?xml …?><Root>…</Root>`. */
export function xmlOf(root: string, content: Content): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`;
}

function element(name: string, value: Value): string {
  if (Array.isArray(value)) return value.map((each) => element(name, each)).join('');
  const inside =
    typeof value === 'object'
      ? Object.entries(value)
          .map(([key, each]) => element(key, each))
          .join('')
      : String(value).replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
  return `<${name}>${inside}</${name}>`;
}
