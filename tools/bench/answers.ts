import { z } from 'zod';

/** Questions to the probe in a measured process, and its answers. */
export type Question = 'memory' | 'cpu' | 'lag';

/** Null where the system does not provide it. */
const megabytes = z
  .number()
  .nullable()
  .transform((mb) => mb ?? Number.NaN);

export const MemoryAnswer = z.object({
  rssMb: z.number(),
  /**
   * Parts of `rssMb`: code and data of files; memory of the C library for everything that is not JavaScript.
   */
  filesMb: megabytes,
  mallocMb: megabytes,
  /** Heaps of all threads that V8 has allocated, used or not. */
  committedMb: z.number(),
  /** Live objects of the main thread. */
  heapMb: z.number(),
  /** Live objects of all worker threads; 0 without any. */
  threadsHeapMb: z.number(),
  /** Buffers outside of the heap. */
  externalMb: z.number(),
});

/** All threads of the process, since its start. */
export const CpuAnswer = z.object({ cpuMs: z.number() });

/** Of the main thread, since the last question. */
export const LagAnswer = z.object({ p95Ms: z.number(), maxMs: z.number() });

export type LagAnswer = z.infer<typeof LagAnswer>;
export type MemoryAnswer = z.output<typeof MemoryAnswer>;
/** The form of the answer on the channel. */
export type MemoryAsTold = z.input<typeof MemoryAnswer>;
export type CpuAnswer = z.infer<typeof CpuAnswer>;
