/**
 * `npm run bench`: measures, prints a Markdown report and keeps it in .parlance/bench/report.md. A report, never a test: missed
 * targets are said and fail nothing. Runs on the servers of PARLANCE_TEST_*, which `npm run bench` provides.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/process.ts';
import { readFacts } from './facts.ts';
import { readOptions, scenarioNames } from './options.ts';
import { renderFacts, renderReport, renderSection, replaceBlock, type Facts, type Section } from './report.ts';
import { scenarios } from './scenarios/index.ts';
import { startMeasuredService } from './service.ts';

const options = readOptions(process.argv.slice(2));
const document = join(root, 'docs/benchmarks.md');
const folder = join(root, '.parlance/bench');
mkdirSync(folder, { recursive: true });

const tell = (line: string) => process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${line}\n`);
const service = await startMeasuredService({ databaseKind: options.database, profileFolder: options.profiles ? join(folder, 'profiles') : undefined });
let stopped: Promise<void> | undefined;
const stop = () => (stopped ??= service.stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(130)));

try {
  const facts = await readFacts(service, options);
  const sections: Section[] = [];
  for (const name of scenarioNames) {
    if (options.only.length === 0 || options.only.includes(name)) sections.push(await scenarios[name]({ service, isQuick: options.isQuick, calls: options.calls, tell }));
  }
  const report = renderReport(facts, sections);
  writeFileSync(join(folder, 'report.md'), report);
  if (options.writes) writeDocument(facts, sections);
  console.log(report);
} finally {
  await stop();
}

/** Sections that were not measured this time stay as they are; each says by which run it was made. */
function writeDocument(facts: Facts, sections: readonly Section[]): void {
  const { Date: date = '', Commit: commit = '' } = Object.fromEntries(facts);
  const blocks = [['facts', renderFacts(facts)] as const, ...sections.map((each) => [each.id, `${renderSection(each)}\n\n*Run of ${date}, commit ${commit}.*`] as const)];
  writeFileSync(document, blocks.reduce((text, [id, content]) => replaceBlock(text, id, content), readFileSync(document, 'utf8')));
}
