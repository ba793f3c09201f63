import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachedEntry, entryName, provideEntry } from './cache.mjs';
import { run, which } from './command.mjs';
import { folder, statePath } from './project.mjs';
import { buildTemporal, temporalVersion } from './temporal-build.mjs';
import { canDownloadTemporal, downloadTemporal } from './temporal-download.mjs';

const entry = entryName('temporal', temporalVersion);
const programIn = (path) => join(path, 'temporal');

/** The version in the output of `temporal --version`, such as "1.8.2", or null. */
export function parseTemporalVersion(text) {
  return /temporal version v?(\d+\.\d+\.\d+\S*)/.exec(text)?.[1] ?? null;
}

/** The available dev server: `{ program, version }` on the PATH or in the cache, or null. */
export async function findTemporal() {
  const onPath = which('temporal');
  if (onPath !== null) return describe(onPath);
  const cached = cachedEntry(entry);
  return cached === null ? null : describe(programIn(cached));
}

async function describe(program) {
  const version = parseTemporalVersion((await run(program, ['--version'])).output) ?? 'unknown';
  return { program, version };
}

/**
 * The dev server; a missing one is provided by the SDK's download, which needs the installed dependencies
 * (`installed` resolves then), or by a build with Go. The build takes minutes, so it starts at once if the
 * download host does not answer. The first result is used.
 */
export async function provideTemporal({ installed = Promise.resolve() } = {}) {
  const found = await findTemporal();
  if (found !== null) return found;
  const path = await provideEntry(entry, (part) => fill(programIn(part), installed));
  linkTool(programIn(path));
  return describe(programIn(path));
}

async function fill(target, installed) {
  const stopBuild = new AbortController();
  const isReachable = await canDownloadTemporal();
  const building = isReachable
    ? null
    : settled(buildTemporal(`${target}.built`, { signal: stopBuild.signal }));
  await installed.catch(async (error) => {
    stopBuild.abort();
    await building;
    throw error;
  });
  const isDownloaded = await downloadTemporal(target);
  if (isDownloaded) stopBuild.abort();
  const failure =
    building === null && !isDownloaded ? await settled(buildTemporal(`${target}.built`)) : await building;
  if (isDownloaded) rmSync(`${target}.built`, { force: true });
  else if (failure === null) renameSync(`${target}.built`, target);
  else throw failure;
}

/** Resolves with null or the error: a build that fails before anything awaits it must not end the process. */
const settled = (work) =>
  work.then(
    () => null,
    (error) => error,
  );

/** Runbooks and people find the program in the project folder. */
function linkTool(program) {
  const link = statePath('tools', 'temporal');
  folder(dirname(link));
  if (existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(program, link);
}
