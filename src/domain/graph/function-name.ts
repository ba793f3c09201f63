/** The most that language models take for the name of a function. */
const maxLength = 64;

/**
 * The function a transition is called by: the label lower-cased, every character outside `a-z0-9` an
 * underscore (contract 2.4).
 */
export function functionNameOf(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]/gu, '_');
}

/**
 * The function a tool is called by (contract 15.1): its name lower-cased, runs of other characters one
 * underscore, none at the ends. A name without a Latin letter or digit is told apart by the beginning of the
 * tool's uuid.
 */
export function toolFunctionName({ name, uuid }: { name: string; uuid: string }): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '_')
    .replace(/^_|_$/g, '');
  return plain === '' ? `tool_${uuid.slice(0, 8)}` : plain;
}

/**
 * Names as the model may be offered them: at most 64 characters, no two alike. Names that already are so stay
 * as they are.
 */
export function offerableNames(names: readonly string[]): string[] {
  const taken = new Set(names.filter((name) => name.length <= maxLength));
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    const offered = name.length > maxLength || given.has(name) ? freeName(name, taken, counts) : name;
    given.add(offered);
    taken.add(offered);
    return offered;
  });
}

/**
 * Goes on counting where it stopped for the same beginning, so that many long labels cost no more than their
 * number.
 */
function freeName(name: string, taken: ReadonlySet<string>, counts: Map<string, number>): string {
  const beginning = name.slice(0, maxLength);
  for (let count = counts.get(beginning) ?? 1; ; count += 1) {
    const ending = count === 1 ? '' : `_${count}`;
    const candidate = `${name.slice(0, maxLength - ending.length)}${ending}`;
    if (taken.has(candidate)) continue;
    counts.set(beginning, count + 1);
    return candidate;
  }
}
