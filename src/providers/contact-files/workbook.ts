import type { Archive } from './archive.ts';
import { limits } from './limits.ts';
import { ContactFileError } from './port.ts';
import { numberFormat, type NumberFormat } from './sheet-formats.ts';
import { KeptTexts, type SharedTexts } from './shared-texts.ts';
import { attributeOf, createXmlParser, readXml } from './xml.ts';

export interface Sheet {
  name: string;
  isHidden: boolean;
  path: string;
}

export interface Workbook {
  sheets: Sheet[];
  /** Days count from 1904 instead of 1900. */
  startsIn1904: boolean;
  sharedTextsPath: string | null;
  stylesPath: string | null;
}

/** What cells of a sheet refer to. */
export interface CellSources {
  sharedTexts: SharedTexts;
  /** By the number of a cell's style. */
  formats: readonly NumberFormat[];
  startsIn1904: boolean;
}

/** The sheets of a workbook in order. Throws ContactFileError if the archive is not a workbook. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const path = await workbookPath(archive);
  const relations = await relationsOf(archive, path);
  const workbook: Workbook = {
    sheets: [],
    startsIn1904: false,
    sharedTextsPath: pathOf(relations, '/sharedStrings'),
    stylesPath: pathOf(relations, '/styles'),
  };
  await readXml(small(archive, path), {
    open: (name, attributes) => {
      if (name === 'workbookPr') workbook.startsIn1904 = isTrue(attributes['date1904']);
      const relation = name === 'sheet' ? relations.get(attributeOf(attributes, 'id') ?? '') : undefined;
      if (relation?.type.endsWith('/worksheet') !== true) return;
      if (workbook.sheets.length >= limits.parts) throw unusual();
      workbook.sheets.push({
        name: attributes['name'] ?? '',
        isHidden: (attributes['state'] ?? 'visible') !== 'visible',
        path: relation.path,
      });
    },
    close: () => {},
    text: () => {},
  });
  if (workbook.sheets.length === 0)
    throw new ContactFileError(
      'no_such_sheet',
      'The workbook has no sheet with cells; put the contacts into one',
    );
  return workbook;
}

/**
 * Shared texts and styles. They are in memory while a sheet is read, so their size is limited. Throws
 * ContactFileError.
 */
export async function readCellSources(
  archive: Archive,
  { sharedTextsPath, stylesPath, startsIn1904 }: Workbook,
): Promise<CellSources> {
  return {
    sharedTexts:
      sharedTextsPath === null || !archive.has(sharedTextsPath)
        ? new KeptTexts()
        : await readSharedTexts(archive, sharedTextsPath),
    formats: stylesPath === null || !archive.has(stylesPath) ? [] : await readFormats(archive, stylesPath),
    startsIn1904,
  };
}

interface Relation {
  path: string;
  type: string;
}

async function workbookPath(archive: Archive): Promise<string> {
  const found = archive.has('_rels/.rels') ? pathOf(await relationsOf(archive, ''), '/officeDocument') : null;
  const path = found ?? 'xl/workbook.xml';
  if (archive.has(path) && path.toLowerCase().endsWith('.xml') && path.toLowerCase().startsWith('xl/'))
    return path;
  if (
    archive
      .paths()
      .some((each) => each === 'xl/workbook.bin' || each === 'content.xml' || each.endsWith('.iwa'))
  )
    throw new ContactFileError(
      'other_workbook',
      'The file is a workbook of another kind; save it as an Excel workbook (.xlsx) or as CSV',
    );
  throw new ContactFileError(
    'not_a_table',
    'The file is a ZIP archive but not a workbook; unpack it, and upload the CSV or XLSX file in it',
  );
}

/** What a part refers to, by id. The part '' is the archive itself. */
async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const relations = new Map<string, Relation>();
  await readXml(small(archive, `${folder}_rels/${part.slice(folder.length)}.rels`), {
    open: (name, { Id, Target, Type }) => {
      if (name !== 'Relationship' || Id === undefined || Target === undefined) return;
      if (relations.size >= limits.parts) throw unusual();
      relations.set(Id, { path: resolved(folder, Target), type: Type ?? '' });
    },
    close: () => {},
    text: () => {},
  });
  return relations;
}

function resolved(folder: string, target: string): string {
  return decodeURIComponent(new URL(target, `file:///${folder}`).pathname).slice(1);
}

function pathOf(relations: ReadonlyMap<string, Relation>, type: string): string | null {
  return [...relations.values()].find((relation) => relation.type.endsWith(type))?.path ?? null;
}

/** Texts without their East Asian phonetic guides. */
async function readSharedTexts(archive: Archive, path: string): Promise<SharedTexts> {
  const texts = new KeptTexts();
  let [text, isText, isGuide, sinceText] = ['', false, false, 0];
  const parser = createXmlParser({
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 't') isText = !isGuide;
      else if (name === 'rPh') isGuide = true;
    },
    close: (name) => {
      if (name === 'si') {
        texts.add(unescaped(text));
        sinceText = 0;
      } else if (name === 't') isText = false;
      else if (name === 'rPh') isGuide = false;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
  });
  for await (const piece of archive.read(path)) {
    parser.write(piece);
    sinceText += piece.length;
    if (sinceText > limits.sharedTextXmlBytes)
      throw new ContactFileError(
        'too_large_inside',
        `A text of the workbook takes more than ${limits.sharedTextXmlBytes / 1024 ** 2} MiB; save the contacts as CSV`,
      );
  }
  return texts;
}

async function readFormats(archive: Archive, path: string): Promise<NumberFormat[]> {
  const formats = new Map<number, string>();
  const ofStyles: NumberFormat[] = [];
  let isOfCells = false;
  await readXml(small(archive, path), {
    open: (name, attributes) => {
      if (formats.size + ofStyles.length > limits.styles) throw unusual();
      if (name === 'numFmt') formats.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells)
        ofStyles.push(numberFormat(Number(attributes['numFmtId'] ?? 0), formats));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
    text: () => {},
  });
  return ofStyles;
}

/** A part that is read completely, and is small in every workbook of contacts. */
async function* small(archive: Archive, path: string): AsyncGenerator<Uint8Array> {
  if (archive.bytesOf(path) > smallBytes) throw unusual();
  yield* archive.read(path);
}

function unusual(): ContactFileError {
  return new ContactFileError(
    'too_large_inside',
    'The workbook has an unusual number of sheets or styles; save the contacts as CSV',
  );
}

const smallBytes = 32 * 1024 * 1024;

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** `_x000D_` stands for a character that XML cannot hold. */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
}
