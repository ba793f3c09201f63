import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { filesOf, readAgentFolder } from '../agent-files/folder.ts';
import { renderAgent, type Files } from '../agent-files/render.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, type ExitCode } from '../failures.ts';
import { shown, type Terminal } from '../output/terminal.ts';
import { counterpartOf, standingOf, type Standing } from './agent-standing.ts';
import { chosenFolders } from './chosen-folders.ts';

const sentences = {
  same: 'the same here and on the server',
  changed_here: 'changed here: a push sends this',
  changed_there: 'changed on the server: a pull takes it, a push is refused',
  changed_both: 'changed here and on the server: a push is refused',
  unknown: 'not on this server: push --create creates it',
} as const satisfies Record<Standing | 'unknown', string>;

/**
 * Shows what a push would change, as patches from the server's agent to the folder. Exit code 1 if they
 * differ.
 */
export async function diffAgents(
  { terminal, agents }: CliContext,
  { folders, dir }: { folders: readonly string[]; dir: string },
): Promise<ExitCode> {
  const listed = await agents.list();
  const results = [];
  for (const path of await chosenFolders(folders, dir)) {
    const folder = await readAgentFolder(path);
    const item = counterpartOf(folder, listed);
    const server = item === undefined ? null : await agents.get(item.id);
    const standing = server === null ? 'unknown' : standingOf(folder, server);
    const patch =
      standing === 'same'
        ? ''
        : patchOf(
            path,
            server === null ? new Map() : renderAgent(server.content),
            renderedOr(await filesOf(path), renderAgent(folder.content)),
          );
    terminal.say(`${terminal.bold(path)}  ${sentences[standing]}`);
    for (const line of patch.split('\n').slice(0, -1)) terminal.say(colored(terminal, shown(line)));
    results.push({ folder: path, id: server?.id ?? null, uuid: server?.uuid ?? null, standing, patch });
  }
  terminal.value(results);
  return results.some(({ standing }) => standing !== 'same') ? exitCodes.difference : exitCodes.ok;
}

/** The files as a pull would write them, so that the format of the JSON makes no difference. */
const renderedOr = (present: Files, rendered: Files): Files => (rendered.size === 0 ? present : rendered);

function patchOf(path: string, server: Files, here: Files): string {
  const names = [...new Set([...here.keys(), ...server.keys()])].toSorted();
  const changed = names.filter((name) => server.get(name) !== here.get(name));
  return changed
    .map((name) =>
      createTwoFilesPatch(
        server.has(name) ? `server/${name}` : '/dev/null',
        here.has(name) ? `${path}/${name}` : '/dev/null',
        server.get(name) ?? '',
        here.get(name) ?? '',
        '',
        '',
        { context: 3, headerOptions: FILE_HEADERS_ONLY },
      ),
    )
    .join('');
}

function colored(terminal: Terminal, line: string): string {
  if (line.startsWith('+')) return terminal.good(line);
  return line.startsWith('-') ? terminal.bad(line) : line;
}
