import { useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Point } from '../../graph/draft.ts';
import { between } from '../../graph/edit.ts';

type Places = ReadonlyMap<string, Point>;

const glideMs = 240;

/** Places of nodes that move by themselves to where they belong; null while none does. */
export function useGlide() {
  const [places, setPlaces] = useState<Places | null>(null);
  const [path, setPath] = useState<{ from: Places; to: Places } | null>(null);
  useEffect(() => {
    if (path === null) return undefined;
    const begunAt = performance.now();
    let frame = requestAnimationFrame(function move(now) {
      const share = Math.min(1, Math.max(0, (now - begunAt) / glideMs));
      setPlaces(share === 1 ? null : between(path.from, path.to, 1 - (1 - share) ** 3));
      if (share < 1) frame = requestAnimationFrame(move);
    });
    return () => cancelAnimationFrame(frame);
  }, [path]);
  const glide = useCallback((from: Places, to: Places) => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    // They stand where they were, until the first frame.
    flushSync(() => {
      setPlaces(from);
      setPath({ from, to });
    });
  }, []);
  return [places, glide] as const;
}
