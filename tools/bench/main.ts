/**
 * `npm run bench`: measures, prints a Markdown report and stores it in .parlance/bench/report.md. It is not a
 * test: missed targets are reported and fail nothing. Runs on the servers of PARLANCE_TEST_*, which `npm run
 * bench` provides.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/process.ts';
import { buildConsole } from '../bootstrap/console-build.mjs';
import { readFacts } from './facts.ts';
import { phoneScenarioNames, readOptions, textScenarioNames } from './options.ts';
import { startMeasuredPhone } from './phone/service.ts';
import {
  renderFacts,
  renderReport,
  renderSection,
  replaceBlock,
  type Facts,
  type Section,
} from './report.ts';
import { phoneScenarios, textScenarios } from './scenarios/index.ts';
import { startMeasuredService, type MeasuredService } from './service.ts';

const options = readOptions(process.argv.slice(2));
const document = join(root, 'tools/bench/report.md');
const folder = join(root, '.parlance/bench');
mkdirSync(folder, { recursive: true });

const print = (line: string) => process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${line}\n`);
const serviceOptions = {
  databaseKind: options.database,
  profileFolder: options.profiles ? join(folder, 'profiles') : undefined,
};
let stop = async (): Promise<void> => undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)));

let facts: Facts | undefined;
const sections: Section[] = [];
await measureText();
await measurePhone();
console.log(renderReport(facts ?? [], sections));

/** Stores a section as soon as it is complete, so that a later failure does not lose it. */
function keep(section: Section): void {
  sections.push(section);
  writeFileSync(join(folder, 'report.md'), renderReport(facts ?? [], sections));
  if (options.writes) writeDocument(facts ?? [], [section]);
}

async function measureText(): Promise<void> {
  const names = textScenarioNames.filter((name) => options.scenarios.includes(name));
  if (names.length === 0) return;
  // The API serves the files that it found when it started.
  if (names.includes('console')) await buildConsole();
  const service = await startMeasuredService(serviceOptions);
  await withService(service, async () => {
    for (const name of names)
      keep(await textScenarios[name]({ service, isQuick: options.isQuick, calls: options.calls, print }));
  });
}

async function measurePhone(): Promise<void> {
  const names = phoneScenarioNames.filter((name) => options.scenarios.includes(name));
  if (names.length === 0) return;
  if (names.includes('console-rows')) await buildConsole();
  const phone = await startMeasuredPhone(serviceOptions);
  await withService(
    phone.service,
    async () => {
      for (const name of names)
        keep(await phoneScenarios[name]({ phone, isQuick: options.isQuick, calls: options.calls, print }));
    },
    () => phone.stop(),
  );
}

/** Stops the service once, also after a failure. */
async function withService(
  service: MeasuredService,
  work: () => Promise<void>,
  stopIt: () => Promise<void> = () => service.stop(),
): Promise<void> {
  let stopped: Promise<void> | undefined;
  stop = () => (stopped ??= stopIt());
  try {
    facts ??= await readFacts(service, options);
    await work();
  } catch (error) {
    writeFileSync(join(folder, 'roles.log'), service.logs());
    print('the logs of the roles are in .parlance/bench/roles.log');
    throw error;
  } finally {
    await stop();
  }
}

/** Sections that were not measured stay unchanged; each names its run. */
function writeDocument(facts: Facts, sections: readonly Section[]): void {
  const { Date: date = '', Commit: commit = '' } = Object.fromEntries(facts);
  const blocks = [
    ['facts', renderFacts(facts)] as const,
    ...sections.map(
      (each) => [each.id, `${renderSection(each)}\n\n*Run of ${date}, commit ${commit}.*`] as const,
    ),
  ];
  writeFileSync(
    document,
    blocks.reduce((text, [id, content]) => replaceBlock(text, id, content), readFileSync(document, 'utf8')),
  );
}
