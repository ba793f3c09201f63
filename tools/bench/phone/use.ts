import { machineUse } from '../machine.ts';
import { useOf, type ProcessUse } from '../process-use.ts';
import type { MeasuredMedia, MeasuredPhone } from './service.ts';

/**
 * Users of the processor, in the order of the report. The emulators are the carrier with its callees, the
 * recognizers, the voices and the model.
 */
export const parts = ['media', 'worker', 'api', 'mysql', 'temporal', 'emulators', 'bench'] as const;

export type Part = (typeof parts)[number];

export interface PartUse {
  /** Average number of used cores: 1 is one core all the time. */
  cores: number;
  rssMb: number;
}

export interface Use {
  parts: Record<Part, PartUse>;
  /** The busiest process of the emulators, which limits the possible load here. */
  busiestEmulator: { name: string; cores: number };
  /** Share of the machine, 0 to 1. */
  machine: number;
}

/** Starts a measurement; the result answers the use since then. */
export function watchUse({ pids }: MeasuredPhone, media: Pick<MeasuredMedia, 'pid'>): () => Use {
  const { api, worker, mysql, temporal, bench, carrier, recognizer, voices, model } = pids;
  const members: Record<Part, (number | null)[]> = {
    media: [media.pid],
    worker: [worker],
    api: [api],
    mysql: [mysql],
    temporal: [temporal],
    emulators: [carrier, recognizer, voices, model],
    bench: [bench],
  };
  const emulators = { carrier, recognizer, voices, model };
  const read = () =>
    Object.fromEntries(
      Object.values(members)
        .flat()
        .map((pid): [string, ProcessUse] => [String(pid), useOf(pid)]),
    );
  const before = read();
  const [begun, machine] = [performance.now(), machineUse()];
  return () => {
    const after = read();
    const ms = performance.now() - begun;
    const coresOf = (pid: number | null) =>
      ((after[String(pid)]?.cpuMs ?? Number.NaN) - (before[String(pid)]?.cpuMs ?? Number.NaN)) / ms;
    const partUse = (part: Part): PartUse => ({
      cores: sum(members[part].map(coresOf)),
      rssMb: sum(members[part].map((pid) => after[String(pid)]?.rssMb ?? Number.NaN)),
    });
    const byCores = Object.entries(emulators)
      .map(([name, pid]) => ({ name, cores: coresOf(pid) }))
      .toSorted((left, right) => right.cores - left.cores);
    return {
      parts: {
        media: partUse('media'),
        worker: partUse('worker'),
        api: partUse('api'),
        mysql: partUse('mysql'),
        temporal: partUse('temporal'),
        emulators: partUse('emulators'),
        bench: partUse('bench'),
      },
      busiestEmulator: byCores[0] ?? { name: 'none', cores: Number.NaN },
      machine: machine(),
    };
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
