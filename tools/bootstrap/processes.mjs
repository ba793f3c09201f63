import { existsSync, readFileSync } from 'node:fs';
import { run } from './command.mjs';

const hasProc = () => existsSync('/proc/self/cmdline');

/** The command line of a process, or an empty string if it does not exist. */
export async function commandLine(pid) {
  return hasProc()
    ? readProc(pid, 'cmdline').replaceAll('\0', ' ').trim()
    : (await run('ps', ['-o', 'args=', '-p', String(pid)])).output.trim();
}

/** The parent's process id; 0 if the process does not exist. */
export async function parentOf(pid) {
  if (!hasProc()) return Number((await run('ps', ['-o', 'ppid=', '-p', String(pid)])).output.trim());
  return Number(/^PPid:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // no such process
  }
}

/**
 * Whether the process lives and its command line contains all of `args` (a pid alone may have been reused).
 */
export async function isRunning(pid, args) {
  const line = await commandLine(pid);
  return line !== '' && args.every((each) => line.includes(each));
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // another user's process, but it lives
  }
}

/** The npm that started this process, possibly through a shell or a re-run, or null. */
export async function npmAncestor() {
  for (let pid = process.ppid, depth = 0; pid > 1 && depth < 6; pid = await parentOf(pid), depth += 1) {
    if (/^npm\b|npm-cli\.js/.test(await commandLine(pid))) return pid;
  }
  return null;
}
