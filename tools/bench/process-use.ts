import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * What a process has used so far. NaN where it is unknown: on other systems than Linux, for another user's
 * process, and for one that has ended.
 */
export interface ProcessUse {
  /** All threads, since its start. */
  cpuMs: number;
  rssMb: number;
}

export function useOf(pid: number | null): ProcessUse {
  try {
    return {
      cpuMs: cpuMsIn(readFileSync(`/proc/${pid}/stat`, 'utf8')),
      rssMb: rssMbIn(readFileSync(`/proc/${pid}/status`, 'utf8')),
    };
  } catch {
    return { cpuMs: Number.NaN, rssMb: Number.NaN };
  }
}

/** The id of the process that listens on a port of this machine; null when it cannot be found. */
export function listenerOn(port: number): number | null {
  try {
    const inode = ['/proc/net/tcp', '/proc/net/tcp6']
      .map((file) => listeningInode(readFileSync(file, 'utf8'), port))
      .find((each) => each !== null);
    if (inode === undefined) return null;
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, `socket:[${inode}]`));
    return pid === undefined ? null : Number(pid);
  } catch {
    return null;
  }
}

/**
 * Reads /proc/<pid>/stat. The name of a program may contain spaces and parentheses; ticks are hundredths of a
 * second on every Linux.
 */
export function cpuMsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Reads /proc/<pid>/status. */
export function rssMbIn(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/**
 * The C library reserves memory for further arenas in pieces that begin at multiples of this, and protects
 * their unused parts.
 */
const arenaBytes = 64 * 1024 * 1024;

/**
 * Reads /proc/<pid>/smaps: resident memory of files and of the C library; the rest is V8's, stacks, and
 * single large pieces. MB.
 */
export function residentIn(smaps: string): { filesMb: number; mallocMb: number } {
  const parts = smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((text) => mappingIn(text) ?? []);
  const total = (wanted: (each: Mapping, next: Mapping | undefined) => boolean) =>
    parts.reduce((sum, each, index) => sum + (wanted(each, parts[index + 1]) ? each.rssKb : 0), 0) / 1024;
  return {
    filesMb: total(({ name }) => name.startsWith('/')),
    mallocMb: total((each, next) => each.name === '[heap]' || isArena(each, next)),
  };
}

interface Mapping {
  from: number;
  to: number;
  access: string;
  name: string;
  rssKb: number;
}

function mappingIn(text: string): Mapping | null {
  const [, from, to, access, name] = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+[ ]*(.*)$/m.exec(text) ?? [];
  if (from === undefined || to === undefined || access === undefined || name === undefined) return null;
  return {
    from: Number.parseInt(from, 16),
    to: Number.parseInt(to, 16),
    access,
    name,
    rssKb: Number(/^Rss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0),
  };
}

function isArena({ from, to, access, name }: Mapping, next: Mapping | undefined): boolean {
  if (name !== '' || from % arenaBytes !== 0 || !access.startsWith('rw')) return false;
  return (
    to - from === arenaBytes ||
    (next?.from === to && next.to === from + arenaBytes && next.access.startsWith('---'))
  );
}

/** Reads /proc/net/tcp: the socket that listens on the port. */
export function listeningInode(table: string, port: number): string | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const line = table
    .split('\n')
    .find((each) => new RegExp(`^\\s*\\d+: [0-9A-F]+:${hex} [0-9A-F]+:0000 0A `).test(each));
  return line?.trim().split(/\s+/)[9] ?? null;
}

function holds(pid: string, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === socket);
  } catch {
    return false;
  }
}
