import { useOf } from './process-use.ts';

const everyMs = 200;

/** Reads the resident set of a process five times a second; the result answers the maximum so far in MB. */
export function watchMemory(pid: number | null): () => number {
  let max = useOf(pid).rssMb;
  const timer = setInterval(() => (max = Math.max(max, useOf(pid).rssMb)), everyMs);
  return () => {
    clearInterval(timer);
    return Math.max(max, useOf(pid).rssMb);
  };
}
