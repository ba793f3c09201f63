import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { badRowOf, importPlainly, rowOf, writeCsv, writeWorkbook } from '../contact-files.ts';
import { useOf } from '../process-use.ts';
import { figure, type Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { MeasuredRole, MeasuredService } from '../service.ts';

const wanted = { seconds: 60, rssMb: 300 };
/** A worker that only runs imports, with little memory (docs/runbooks/deploy.md). */
const importsAlone = {
  PARLANCE_WORKER_ROLES: 'import',
  NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=4',
};

const Uploaded = z.object({ id: z.int() });
const Checked = z.object({
  state: z.enum(['uploaded', 'importing', 'ready', 'failed']),
  totals: z.object({ rows: z.int(), ok: z.int() }).nullable(),
});

interface Imported {
  id: number;
  uploadSeconds: number;
  seconds: number;
  /** Of the worker during the import. */
  cpuSeconds: number;
  rssBeforeMb: number;
  rssMaxMb: number;
  rows: number;
}

/**
 * Measures imports of a million-row contact file and of a large workbook, through the API and a worker,
 * compared with the simplest import of the same file.
 */
export async function measureImports({ service, isQuick, print }: ScenarioOptions): Promise<Section> {
  const [csvRows, sheetRows] = isQuick ? [50_000, 10_000] : [1_000_000, 200_000];
  const folder = await mkdtemp(join(tmpdir(), 'bench-contacts-'));
  try {
    const files = {
      csv: join(folder, 'contacts.csv'),
      xlsx: join(folder, 'contacts.xlsx'),
      badCsv: join(folder, 'bad.csv'),
      badXlsx: join(folder, 'bad.xlsx'),
    };
    print(`import: files of ${csvRows} and ${sheetRows} rows`);
    await writeCsv(files.csv, csvRows);
    await writeWorkbook(files.xlsx, sheetRows);
    print('import: the CSV');
    const csv = await importFile(service, service.roles.worker, files.csv);
    const lookUps = await timeLookUps(service, csv.id, csvRows);
    print('import: error files');
    await writeCsv(files.badCsv, badRows, badRowOf);
    await writeWorkbook(files.badXlsx, badRows, badRowOf);
    for (const [name, path] of [
      ['CSV', files.badCsv],
      ['XLSX', files.badXlsx],
    ] as const) {
      const { id } = await importFile(service, service.roles.worker, path);
      lookUps.push([
        `Error file of ${figure(badRows)} rows, ${name}`,
        await timeGet(service, `/directories/${id}/errors`),
      ]);
    }
    print('import: the same file, plainly');
    const begun = performance.now();
    await importPlainly(service.db, files.csv);
    const plainSeconds = (performance.now() - begun) / 1000;
    print('import: the CSV, by a worker for imports only with little memory');
    await service.replaceWorker({ PARLANCE_WORKER_ROLES: 'call,delivery,campaign' });
    const reader = await service.startWorkerBeside(importsAlone);
    const alone = await importFile(service, reader.role, files.csv);
    print('import: the workbook, by the same worker');
    const workbook = await importFile(service, reader.role, files.xlsx);
    await reader.stop();
    await service.replaceWorker({});
    return section({
      csv,
      alone,
      workbook,
      lookUps,
      plainSeconds,
      csvMb: (await stat(files.csv)).size / 1e6,
      sheetMb: (await stat(files.xlsx)).size / 1e6,
      isQuick,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const badRows = 17_000;

type LookUp = [what: string, ms: number];

/** Requests that find rows of a directory. */
async function timeLookUps(service: MeasuredService, id: number, rows: number): Promise<LookUp[]> {
  const [phone = '', identifier = ''] = rowOf(Math.floor(rows * 0.9));
  const found: LookUp[] = [];
  for (const [what, query] of [
    ['First page', ''],
    ['Search for a number', `search=${encodeURIComponent(phone)}`],
    ['Search for the end of a number', `search=${phone.slice(-7)}`],
    ['Search for an identifier', `search=${identifier}`],
    ['Search for a text that many rows have', 'search=city'],
    ['Search for a text that no row has', 'search=nobody'],
    ['Rows with a finding that no row has', 'finding=phone_date'],
  ] as const)
    found.push([what, await timeGet(service, `/directories/${id}/rows?${query}`)]);
  return found;
}

async function timeGet({ api }: MeasuredService, path: string): Promise<number> {
  const begun = performance.now();
  await (await fetch(`${api.url}/api/v1${path}`, { headers: { 'x-api-key': api.key } })).arrayBuffer();
  return performance.now() - begun;
}

async function importFile({ api }: MeasuredService, worker: MeasuredRole, path: string): Promise<Imported> {
  const headers = { 'x-api-key': api.key };
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'contacts');
  const sent = performance.now();
  const { id } = Uploaded.parse(
    await (await fetch(`${api.url}/api/v1/directories`, { method: 'POST', headers, body: form })).json(),
  );
  const uploadSeconds = (performance.now() - sent) / 1000;
  const [rssBeforeMb, cpuBefore] = [useOf(worker.pid).rssMb, await worker.cpuMs()];
  let rssMaxMb = rssBeforeMb;
  const begun = performance.now();
  await fetch(`${api.url}/api/v1/directories/${id}/check`, { method: 'POST', headers });
  for (;;) {
    const { state, totals } = Checked.parse(
      await (await fetch(`${api.url}/api/v1/directories/${id}`, { headers })).json(),
    );
    rssMaxMb = Math.max(rssMaxMb, useOf(worker.pid).rssMb);
    if (state === 'failed') throw new Error('The import failed');
    if (state === 'ready')
      return {
        id,
        uploadSeconds,
        seconds: (performance.now() - begun) / 1000,
        cpuSeconds: ((await worker.cpuMs()) - cpuBefore) / 1000,
        rssBeforeMb,
        rssMaxMb,
        rows: totals?.ok ?? 0,
      };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function section({
  csv,
  alone,
  workbook,
  lookUps,
  plainSeconds,
  csvMb,
  sheetMb,
  isQuick,
}: {
  csv: Imported;
  alone: Imported;
  workbook: Imported;
  lookUps: LookUp[];
  plainSeconds: number;
  csvMb: number;
  sheetMb: number;
  isQuick: boolean;
}): Section {
  const row = (
    name: string,
    { rows, uploadSeconds, seconds, cpuSeconds, rssBeforeMb, rssMaxMb }: Imported,
  ) => [
    name,
    figure(rows),
    figure(uploadSeconds),
    figure(seconds),
    figure(rows / seconds),
    figure(cpuSeconds),
    figure(rssBeforeMb),
    figure(rssMaxMb),
  ];
  return {
    id: 'import',
    title: 'Imports of contact files',
    method: [
      `A CSV file of ${figure(csv.rows)} rows (${figure(csvMb)} MB) and a workbook of ${figure(workbook.rows)} (${figure(sheetMb)} MB), five columns, each number once, are uploaded through the API and imported: every number is parsed, its zone found, compared with the other numbers and the suppressions, and every row is stored in MySQL. The time is from the request of the import until it is ready. API, worker, MySQL, Temporal and the benchmark share the machine. Memory is the resident set of the worker, read five times a second. The first worker has all roles and no memory limit. The *limited worker* only runs imports (another worker has the other roles) with little memory: ${Object.entries(
        importsAlone,
      )
        .map(([name, value]) => `${name}=${value}`)
        .join(', ')}, as in docker-compose.yml; the workbook comes after the CSV.`,
      `The plain import reads the same CSV file with csv-parse and inserts 2,000 rows per statement into a table with the same columns and keys but without foreign keys. It checks no row.${isQuick ? ' This is a quick run with fewer rows.' : ''}`,
    ],
    tables: [
      {
        columns: [
          '',
          'Rows',
          'Upload, s',
          'Check, s',
          'Rows a second',
          'Processor of the worker, s',
          'Worker before, MB',
          'Worker maximum, MB',
        ],
        rows: [
          row('CSV', csv),
          row('CSV, limited worker', alone),
          row('XLSX, limited worker', workbook),
          [
            'CSV, plainly',
            figure(csv.rows),
            '–',
            figure(plainSeconds),
            figure(csv.rows / plainSeconds),
            '–',
            '–',
            '–',
          ],
        ],
      },
      { columns: ['', 'ms'], rows: lookUps.map(([what, ms]) => [what, figure(ms)]) },
    ],
    targets: [
      {
        what: `Import of ${figure(csv.rows)} rows`,
        wanted: `≤ ${wanted.seconds} s`,
        measured: `${figure(csv.seconds)} s`,
        isMet: csv.seconds <= wanted.seconds,
      },
      ...(
        [
          ['Worker with all roles, during the CSV import', csv],
          ['Limited worker, during the CSV import', alone],
          ['Limited worker, during the workbook import', workbook],
        ] as const
      ).map(([what, { rssMaxMb }]) => ({
        what: `${what}, maximum resident memory`,
        wanted: `≤ ${wanted.rssMb} MB`,
        measured: `${figure(rssMaxMb)} MB`,
        isMet: rssMaxMb <= wanted.rssMb,
      })),
    ],
  };
}
