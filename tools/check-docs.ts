/**
 * Checks that every repository path that a document names exists, that every cited section of
 * docs/contract.md exists, and that nothing cites a document outside of the repository. Part of `npm run
 * verify`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { citationFaults, foreignFaults, headingFaults, numberedHeadings } from './citations.ts';

const root = resolve(import.meta.dirname, '..');

/** Folders whose documents are checked and whose paths are recognized in backticks. */
const folders = ['src', 'console', 'test', 'tools', 'docs', 'emulators', 'deploy', '.ci'];

/**
 * The repository paths that a Markdown text names, as written. Patterns (`*`, `<name>`, `NNNN`) are not
 * paths.
 */
export function namedPaths(markdown: string): { inBackticks: string[]; links: string[] } {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  const backticks = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const links = [...prose.replace(/`[^`\n]+`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map((match) =>
    (match[1] ?? '').replace(/#.*$/, ''),
  );
  return {
    inBackticks: backticks.flatMap((each) => expandBraces(each)).filter((each) => isPath(each)),
    links: links.filter((each) => each !== '' && !/^[a-z]+:/.test(each)),
  };
}

function isPath(text: string): boolean {
  if (text.includes('NNNN')) return false;
  return new RegExp(`^(${folders.map((each) => each.replace('.', '\\.')).join('|')})/[\\w./-]+$`).test(text);
}

/** Expands `a/{b,c}.ts` to `a/b.ts` and `a/c.ts`. */
function expandBraces(text: string): string[] {
  const match = /^(.*?)\{([^{}]+)\}(.*)$/.exec(text);
  if (match === null) return [text];
  const [, before = '', choices = '', after = ''] = match;
  return choices.split(',').flatMap((each) => expandBraces(`${before}${each.trim()}${after}`));
}

/** The documents of the repository. */
export function documents(): string[] {
  const top = readdirSync(root).filter((each) => each.endsWith('.md'));
  const below = folders
    .filter((each) => existsSync(join(root, each)))
    .flatMap((each) =>
      readdirSync(join(root, each), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md'))
        .map((file) => join(each, file)),
    );
  return [...top, ...below];
}

/** One sentence for each missing path that a document names. */
export function missingPaths(document: string): string[] {
  const { inBackticks, links } = namedPaths(readFileSync(join(root, document), 'utf8'));
  const named = [
    ...inBackticks.map((each) => resolve(root, each)),
    ...links.map((each) => resolve(root, dirname(document), each)),
  ];
  return named
    .filter((each) => !existsSync(each))
    .map((each) => `${document} names ${relative(root, each)}, which does not exist`);
}

const contract = 'docs/contract.md';
/** Files whose citations are checked, by extension. */
const citing = /\.(?:[cm]?[jt]sx?|md|py|ya?ml)$/;
/** Their texts are examples of refused citations. */
const examples = new Set(['tools/citations.ts', 'test/tools/check-docs.test.ts']);

/** The files whose citations are checked: sources, console, tests, tools, documents, and the top folder's. */
export function citingFiles(): string[] {
  const top = readdirSync(root, { withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name }) => name);
  const below = folders
    .filter((each) => existsSync(join(root, each)))
    .flatMap((each) =>
      readdirSync(join(root, each), { recursive: true, encoding: 'utf8' }).map((file) => join(each, file)),
    );
  return [...top, ...below].filter((each) => citing.test(each) && !examples.has(each));
}

/** One sentence for each faulty citation in the repository and each faulty heading of the contract. */
export function faultyCitations(): string[] {
  const rules = readFileSync(join(root, contract), 'utf8');
  const sections = new Set(numberedHeadings(rules).map(({ section }) => section));
  const names = new Set(documents().flatMap((each) => [each, basename(each)]));
  const faults = citingFiles().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return [...citationFaults(path, text, sections), ...foreignFaults(path, text, (name) => names.has(name))];
  });
  return [...headingFaults(contract, rules), ...faults];
}

if (process.argv[1] === import.meta.filename) {
  const missing = documents().flatMap((each) => missingPaths(each));
  const citations = faultyCitations();
  for (const each of [...missing, ...citations]) console.error(each);
  console.log(
    `${documents().length} documents, ${missing.length} missing paths, ${citations.length} faulty citations`,
  );
  process.exitCode = missing.length + citations.length === 0 ? 0 : 1;
}
