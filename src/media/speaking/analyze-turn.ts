import type { StepCall } from './call-state.ts';

interface Analyzing extends Pick<StepCall, 'state' | 'driver'> {
  text: string;
  /** The end of what the caller said. */
  samples: (ms: number) => Int16Array;
  signal: AbortSignal;
}

/**
 * Asks the analyzer and tells the state machine; an analyzer that fails takes the sentence for unfinished.
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
