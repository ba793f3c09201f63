import { z } from 'zod';

/** What can be asked of the probe in a measured process, and what it answers. */
export type Question = 'memory' | 'cpu' | 'lag';

export const MemoryAnswer = z.object({
  rssMb: z.number(),
  /** Live objects of the main thread. */
  heapMb: z.number(),
  /** Live objects of all worker threads; 0 where there are none. */
  threadsHeapMb: z.number(),
  /** Buffers outside of the heap. */
  externalMb: z.number(),
});

/** All threads of the process, since its start. */
export const CpuAnswer = z.object({ cpuMs: z.number() });

/** Of the main thread, since the last time that somebody asked. */
export const LagAnswer = z.object({ p95Ms: z.number(), maxMs: z.number() });

export type LagAnswer = z.infer<typeof LagAnswer>;
export type MemoryAnswer = z.infer<typeof MemoryAnswer>;
export type CpuAnswer = z.infer<typeof CpuAnswer>;
