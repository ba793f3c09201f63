/**
 * `npm run bench`: measures, prints a Markdown report and keeps it in .parlance/bench/report.md. A report, never a test: missed
 * targets are said and fail nothing. Runs on the servers of PARLANCE_TEST_*, which `npm run bench` provides.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../test/support/process.ts';
import { readFacts } from './facts.ts';
import { renderFacts, renderReport, renderSection, replaceBlock, type Section } from './report.ts';
import { scenarios } from './scenarios/index.ts';
import { startMeasuredService } from './service.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    calls: { type: 'string' },
    database: { type: 'string', default: 'mysql' },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
});
const wanted = flags.only.flatMap((each) => each.split(','));
const unknown = wanted.filter((each) => !(each in scenarios));
const calls = Number(flags.calls ?? (flags.quick ? 200 : 5000));
const databaseKind = flags.database === 'mariadb' ? 'mariadb' : 'mysql';
const document = join(root, 'docs/benchmarks.md');
const folder = join(root, '.parlance/bench');

if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}; there are ${Object.keys(scenarios).join(', ')}`);
if (flags.write && flags.quick) throw new Error('A quick run says too little to be written into docs/benchmarks.md');
if (!Number.isInteger(calls) || calls < 100) throw new Error('--calls must be at least 100: fewer show no trend');

const tell = (line: string) => process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${line}\n`);
const profileFolder = flags.profile ? join(folder, 'profiles') : undefined;
mkdirSync(folder, { recursive: true });

const service = await startMeasuredService({ databaseKind, profileFolder });
let stopped: Promise<void> | undefined;
const stop = () => (stopped ??= service.stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(130)));

try {
  const facts = await readFacts(service, { isQuick: flags.quick });
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(scenarios)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    sections.push(await measure({ service, isQuick: flags.quick, calls, tell }));
  }
  const report = renderReport(facts, sections);
  writeFileSync(join(folder, 'report.md'), report);
  if (flags.write) {
    const blocks = [['facts', renderFacts(facts)] as const, ...sections.map((each) => [each.id, renderSection(each)] as const)];
    writeFileSync(document, blocks.reduce((text, [id, content]) => replaceBlock(text, id, content), readFileSync(document, 'utf8')));
  }
  console.log(report);
} finally {
  await stop();
}
