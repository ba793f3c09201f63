import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isNodeUsable, provideNode, runOn } from './node-runtime.mjs';
import { root, useCompileCache } from './project.mjs';
import { StepError, printFailure, printToStandardError } from './report.mjs';

/**
 * Runs a script of the project on a recent enough Node: the host's, or the provided one if the host's is too
 * old. `args`: options of Node, the script, its arguments.
 */
export async function launch(args) {
  const { options, script, rest } = readCommand(args);
  printToStandardError();
  useCompileCache();
  try {
    if (!existsSync(join(root, 'node_modules')))
      throw new StepError('The dependencies are not installed', 'run npm install, or npm start');
    const file = join(root, script);
    if (isNodeUsable() && options.length === 0) await runHere(file, rest);
    else process.exitCode = await runOn(await provideNode(), [...options, file, ...rest]);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.exitCode = printFailure(error);
  }
}

/** Options of Node come before the script. */
export function readCommand(args) {
  const at = args.findIndex((each) => !each.startsWith('-'));
  return { options: args.slice(0, at), script: args[at], rest: args.slice(at + 1) };
}

/** Runs the script in this process, as if it had been started by name. */
function runHere(file, rest) {
  process.argv = [process.execPath, file, ...rest];
  return import(pathToFileURL(file).href);
}
