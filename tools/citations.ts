/** Citations of docs/contract.md ("contract 5.1"), and of documents that are not in the repository. */

export interface Citation {
  /** From 1. */
  line: number;
  section: string;
}

export interface NumberedHeading {
  /** From 1. */
  line: number;
  section: string;
  title: string;
}

/**
 * Separators between the words of a comment: spaces, line breaks and the marks at the beginning of a line.
 */
const gap = String.raw`(?:\s|\/\/|\*|#)+`;
const first = new RegExp(String.raw`\bcontract${gap}(\d+(?:\.\d+)*)`, 'giu');
/** `, 5.2`, `; 11.6`, ` to 11.8`, `–8.6`, `, row 3; 11.6`: further sections of the same citation. */
const further = new RegExp(
  String.raw`(?:(?:,|;)(?:${gap}rows?${gap}\d+(?:${gap}to${gap}\d+)?;)?${gap}|${gap}(?:and|to)${gap}|[–-])(\d+\.\d+)(?![\d.]*\d)`,
  'yu',
);

/** Every section that a text cites, with its line. */
export function citationsIn(text: string): Citation[] {
  return [...text.matchAll(first)].flatMap((match) => {
    const found = [{ section: match[1] ?? '', end: match.index + match[0].length }];
    for (;;) {
      further.lastIndex = found.at(-1)?.end ?? 0;
      const next = further.exec(text);
      if (next === null) break;
      found.push({ section: next[1] ?? '', end: further.lastIndex });
    }
    return found.map(({ section, end }) => ({ section, line: lineAt(text, end) }));
  });
}

const heading = /^#{2,3} (\d+(?:\.\d+)*)\.? (.+)$/;

/** The numbered headings of a Markdown text. */
export function numberedHeadings(markdown: string): NumberedHeading[] {
  return markdown.split('\n').flatMap((text, index) => {
    const [, section, title] = heading.exec(text) ?? [];
    return section === undefined || title === undefined ? [] : [{ line: index + 1, section, title }];
  });
}

/** One sentence for each heading with a number that is repeated or out of order. */
export function headingFaults(path: string, markdown: string): string[] {
  const seen = new Set<string>();
  let last: string | null = null;
  return numberedHeadings(markdown).flatMap(({ line, section }) => {
    const isRepeated = seen.has(section);
    const isOrdered = last === null || comparedSections(last, section) < 0;
    seen.add(section);
    last = section;
    if (isRepeated) return [`${path}:${line} has a second section ${section}`];
    return isOrdered ? [] : [`${path}:${line} has section ${section} in the wrong place`];
  });
}

/** One sentence for each citation of a section that the contract does not have. */
export function citationFaults(path: string, text: string, sections: ReadonlySet<string>): string[] {
  return citationsIn(text)
    .filter(({ section }) => !sections.has(section))
    .map(
      ({ line, section }) =>
        `${path}:${line} cites contract ${section}, and docs/contract.md has no such section`,
    );
}

/** A document followed by a section, as in `notes.md 2.1`, or one without a file. */
const foreign = new RegExp(
  String.raw`\b(interface${gap}document)\b|([\w./-]+\.md)(?=${gap}\d+(?:\.\d+)*(?:[\s),;:]|$))`,
  'giu',
);

/** One sentence for each citation of a document outside the repository. */
export function foreignFaults(
  path: string,
  text: string,
  isInRepository: (name: string) => boolean,
): string[] {
  return [...text.matchAll(foreign)].flatMap((match) => {
    const document = match[2] ?? 'an interface document';
    return match[2] !== undefined && isInRepository(match[2])
      ? []
      : [`${path}:${lineAt(text, match.index)} cites ${document}, which is not in the repository`];
  });
}

function comparedSections(one: string, other: string): number {
  const [left, right] = [one, other].map((each) => each.split('.').map(Number));
  for (let index = 0; index < Math.max(left?.length ?? 0, right?.length ?? 0); index += 1) {
    const difference = (left?.[index] ?? -1) - (right?.[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
