import type { StepCall } from './call-state.ts';

interface Analyzing extends Pick<StepCall, 'state' | 'driver'> {
  text: string;
  /** Returns the last milliseconds of the caller's sound. */
  samples: (ms: number) => Int16Array;
  signal: AbortSignal;
}

/**
 * Asks the analyzer and passes the answer to the state machine. If the analyzer fails, the sentence counts as
 * unfinished.
 */
export async function analyzeTurn({
  state: { deps, voices, leg },
  driver,
  text,
  samples,
  signal,
}: Analyzing): Promise<void> {
  const { analyzer } = deps;
  const question = {
    text,
    language: voices.sttLanguage,
    samples: analyzer.wantsMs === 0 ? new Int16Array(0) : samples(analyzer.wantsMs),
    sampleRate: leg.sampleRate,
  };
  const isComplete = await analyzer.analyze(question, signal).then(
    (verdict) => verdict.isComplete,
    () => false,
  );
  if (!signal.aborted) driver.tell({ kind: 'analyzed', isComplete });
}
