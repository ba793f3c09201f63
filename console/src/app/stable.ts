import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The same function in every render, which does what the last one does: a handler for parts that are drawn again
 * only if what they show has changed (`memo`). Not to be called while drawing.
 */
export function useStable<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
