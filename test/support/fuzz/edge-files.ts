import { limits } from '../../../src/providers/contact-files/limits.ts';
import { workbookOf, zipOf } from '../contact-file-bytes.ts';
import type { Random } from '../seed.ts';

/** A generated contact file, by what it is about. */
export interface EdgeFile {
  name: string;
  bytes: Buffer;
}

type Make = (at: (limit: number) => number, random: Random) => Buffer;

const many = (count: number, each: (index: number) => string): string =>
  Array.from({ length: Math.max(0, count) }, (_, index) => each(index)).join('');
const row = (cells: string, attributes = '') => `<row${attributes}>${cells}</row>`;
const shared = (index: number) => `<c t="s"><v>${index}</v></c>`;
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const si = (text: string) => `<si><t>${text}</t></si>`;
const header = row(inline('phone') + inline('note'));
const person = row(inline('+4930123456') + inline('Ann'));
const sharedCells = 16_384;

/** A letter of one, two or three bytes. */
const letter = (random: Random): string => ['x', 'é', '電'][Math.floor(random() * 3)] ?? 'x';

const workbooks: Record<string, Make> = {
  'many-cells-name-one-text': (at, random) =>
    workbookOf(header + row(many(at(sharedCells), () => shared(0))) + person, {
      sharedStrings: si(letter(random).repeat(at(limits.cellCharacters))),
    }),
  'many-rows-name-one-text': (at, random) =>
    workbookOf(header + many(at(2000), () => row(many(at(8), () => shared(0)))), {
      sharedStrings: si(letter(random).repeat(at(limits.cellCharacters))),
    }),
  'many-wide-rows': (at, random) =>
    workbookOf(
      many(at(120), () => row(many(sharedCells, () => shared(0)))),
      {
        sharedStrings: si(letter(random).repeat(at(limits.cellCharacters))),
      },
    ),
  'inline-texts': (at, random) =>
    workbookOf(
      header + row(many(at(9), () => inline(letter(random).repeat(at(limits.cellCharacters))))) + person,
    ),
  columns: (at) => workbookOf(row(many(at(limits.columns), (index) => inline(`c${index}`))) + person),
  'one-cell-far-right': (at) => workbookOf(`${header}<row><c r="${'X'.repeat(at(3))}D2"><v>1</v></c></row>`),
  'long-attribute': (at) =>
    workbookOf(header + row('', ` spans="${'1'.repeat(at(limits.xmlPieceBytes))}"`) + person),
  'many-attributes': (at) =>
    workbookOf(
      header +
        row(
          '',
          many(at(300_000), (index) => ` a${index}="1"`),
        ) +
        person,
    ),
  'long-comment': (at) => workbookOf(`${header}<!--${'-x'.repeat(at(limits.xmlPieceBytes))}-->${person}`),
  'long-comment-of-styles': (at, random) =>
    workbookOf(header + person, {
      sharedStrings: `<!--${many(
        at(4000),
        () =>
          `-${Math.floor(random() * 2 ** 32)
            .toString(36)
            .repeat(100)}`,
      )}-->`,
    }),
  'deep-elements': (at) =>
    workbookOf(header + row(`${'<a>'.repeat(at(100_000))}${'</a>'.repeat(at(100_000))}`)),
  'many-empty-rows': (at) => workbookOf(header + '<row/>'.repeat(at(200_000)) + person),
  'last-row': (at) => workbookOf(`${header}<row r="${at(limits.sheetRows)}"><c><v>1</v></c></row>`),
  'many-shared-texts': (at) =>
    workbookOf(header + person, { sharedStrings: many(at(400_000), (index) => `<si><t>${index}</t></si>`) }),
  'long-shared-texts': (at, random) =>
    workbookOf(header + row(shared(1)), {
      sharedStrings: many(at(300), () => si(letter(random).repeat(at(limits.sharedTextXmlBytes / 64)))),
    }),
  entities: (at) =>
    workbookOf(header + row(inline('&#x1F600;'.repeat(at(limits.cellCharacters / 2)))) + person),
  escapes: (at) => workbookOf(header + row(inline('_x000D_'.repeat(at(limits.cellCharacters)))) + person),
  entries: (at) =>
    zipOf(Array.from({ length: at(limits.entries) }, (_, index) => ({ path: `p${index}`, content: '' }))),
  numbers: (at) => workbookOf(header + many(at(5000), (index) => row(`<c><v>${index}e${index}</v></c>`))),
};

const texts: Record<string, Make> = {
  'line-of-separators': (at) => text('a,b', ','.repeat(at(limits.lineCharacters)), '1,2'),
  'line-of-letters': (at, random) => text('a,b', letter(random).repeat(at(limits.lineCharacters)), '1,2'),
  'line-of-quotes': (at) => text('a,b', '"'.repeat(at(limits.lineCharacters)), '1,2'),
  'many-cells-in-a-row': (at) =>
    text(
      'a,b',
      many(at(1_000_000), () => 'ab,'),
      '1,2',
    ),
  cells: (at, random) => text('a,b', `${letter(random).repeat(at(limits.cellCharacters))},2`, '1,2'),
  'row-text': (at) =>
    text(
      many(9, (index) => `c${index},`),
      many(9, () => `${'x'.repeat(at(limits.rowCharacters / 9))},`),
    ),
  'quoted-lines': (at) => text('a,b', `"${'x\n'.repeat(at(limits.quotedLines))}",2`, '1,2'),
  'quoted-characters': (at) => text('a,b', `"${'x'.repeat(at(limits.quotedCharacters))}",2`, '1,2'),
  'open-quotes': (at) => text('a,b', ...Array.from({ length: at(3000) }, () => '"x,y')),
  'open-quotes-on-long-lines': (at) =>
    text('a,b', ...Array.from({ length: 20 }, () => `"${'x'.repeat(at(100_000))}`)),
  header: (at) =>
    text(
      many(at(limits.columns), (index) => `c${index},`),
      '1,2',
    ),
  names: (at) => text(`${'n'.repeat(at(500))},b`, '1,2'),
  preview: (at) =>
    text('a,b', ...Array.from({ length: 60 }, () => `${'x'.repeat(at(limits.previewBytes / 60))},1`)),
  'wide-letters': (at) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n' + '電,1\n'.repeat(at(50_000)), 'utf16le')]),
};

function text(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`);
}

const makers = [
  ...Object.entries(workbooks).map(([name, make]) => [`${name}.xlsx`, make] as const),
  ...Object.entries(texts).map(([name, make]) => [`${name}.csv`, make] as const),
];

/** Files of each kind in turn, with each size just below, at or just above its limit, and some of them damaged. */
export function* edgeFiles(count: number, random: Random): Generator<EdgeFile> {
  for (let index = 0; index < count; index += 1) {
    const [name, make] = makers[index % makers.length] ?? ['', () => Buffer.alloc(0)];
    const bytes = make((limit) => Math.round(limit) - 1 + Math.floor(random() * 3), random);
    yield {
      name: `${String(index).padStart(4, '0')}-${name}`,
      bytes: random() < 0.2 ? damaged(bytes, random) : bytes,
    };
  }
}

function damaged(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes);
  for (let change = 0; change < 8; change += 1)
    changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
  return random() < 0.3 ? changed.subarray(0, Math.floor(random() * changed.length)) : changed;
}

/** How many kinds there are. */
export const edgeKinds = makers.length;
