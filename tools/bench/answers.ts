import { z } from 'zod';

/** What can be asked of the probe in a measured process, and what it answers. */
export type Question = 'memory' | 'cpu' | 'lag';

/** Null where the system does not tell. */
const told = z
  .number()
  .nullable()
  .transform((mb) => mb ?? Number.NaN);

export const MemoryAnswer = z.object({
  rssMb: z.number(),
  /**
   * Of `rssMb`: code and data of files; what the C library hands out, to everything that is not JavaScript.
   */
  filesMb: told,
  mallocMb: told,
  /** What V8 has taken for the heaps of all threads, used or not. */
  committedMb: z.number(),
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
export type MemoryAnswer = z.output<typeof MemoryAnswer>;
/** As it goes over the channel. */
export type MemoryAsTold = z.input<typeof MemoryAnswer>;
export type CpuAnswer = z.infer<typeof CpuAnswer>;
