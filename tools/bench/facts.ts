import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { execFileSync } from 'node:child_process';
import { root } from '../../test/support/process.ts';
import { readVersion } from '../../src/config/version.ts';
import type { Facts } from './report.ts';
import type { MeasuredService } from './service.ts';

/** Facts that the figures depend on. */
export async function readFacts(
  { db, temporal }: Pick<MeasuredService, 'db' | 'temporal'>,
  { isQuick }: { isQuick: boolean },
): Promise<Facts> {
  const { serverVersion, persistenceStore } = await temporal.request((client) =>
    client.workflowService.getClusterInfo({}),
  );
  return [
    ['Date', new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC'],
    ['Run', isQuick ? '**quick: a smoke test with rough figures**' : 'full'],
    ['Commit', commit()],
    ['Parlance', readVersion()],
    [
      'Machine',
      `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${process.platform} ${process.arch}`,
    ],
    [
      'Load of the machine at the start',
      loadavg()
        .map((each) => each.toFixed(1))
        .join(' / '),
    ],
    ['Node', process.version],
    ['Database', await databaseFacts(db)],
    ['Temporal', `server ${serverVersion}, ${persistenceStore}, every service in one process`],
    ['Language model', '**simulated** (emulators/llm), over HTTP on this machine'],
    [
      'Phone calls',
      'carrier, callees, speech recognition and voices **simulated** (emulators/), each a process on this machine',
    ],
    [
      'Where',
      'everything on this one machine: API, worker, MySQL, Temporal, model, receivers and the benchmark',
    ],
  ];
}

async function databaseFacts(db: MeasuredService['db']): Promise<string> {
  const rows: { version: string; flush: number }[] = await db.query(
    'SELECT VERSION() AS version, @@innodb_flush_log_at_trx_commit AS flush',
  );
  const [row] = rows;
  if (row === undefined) return 'unknown';
  const durability =
    row.flush === 1
      ? 'each commit written to disk'
      : '**commits not written to disk immediately (a test server): times are shorter than in production**';
  return `${db.options.type} ${row.version}, ${durability}`;
}

/** Short id of the commit, marked when files differ from it. */
function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain', '--', 'src', 'emulators', 'tools', 'package-lock.json') === '' ? '' : ', with changes'}`;
  } catch {
    return 'unknown: not a git repository';
  }
}
