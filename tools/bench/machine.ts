import { cpus } from 'node:os';

/** The used share of the machine's processor time since the last call, 0 to 1, by all its processes. */
export function machineUse(): () => number {
  let before = spent();
  return () => {
    const now = spent();
    const [busy, all] = [now.busy - before.busy, now.all - before.all];
    before = now;
    return all === 0 ? 0 : busy / all;
  };
}

function spent(): { busy: number; all: number } {
  const times = cpus().map((each) => each.times);
  const all = times.reduce(
    (total, { user, nice, sys, idle, irq }) => total + user + nice + sys + idle + irq,
    0,
  );
  return { busy: all - times.reduce((total, { idle }) => total + idle, 0), all };
}
