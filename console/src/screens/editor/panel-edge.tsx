import {
  type KeyboardEvent,
  type PointerEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { panelLimits, panelWidth, widthAfter } from './panel-width.ts';

const key = () => `parlance.editor.panel.${session.get()?.user.id ?? 0}`;

function chosenWidth(): number | null {
  try {
    const stored = Number(localStorage.getItem(key()) ?? NaN);
    return Number.isFinite(stored) ? stored : null;
  } catch {
    return null;
  }
}

function keepWidth(width: number | null): void {
  try {
    if (width === null) localStorage.removeItem(key());
    else localStorage.setItem(key(), String(width));
  } catch {
    // The width then lasts as long as the page.
  }
}

const useWindowWidth = (): number =>
  useSyncExternalStore(
    (listener) => {
      addEventListener('resize', listener);
      return () => removeEventListener('resize', listener);
    },
    () => innerWidth,
  );

/**
 * The edge between the graph and the panel. It is dragged, or moved by arrows, Home and End; a double click gives the
 * panel its usual width. Its parent has the width as `--panel-width`, so that a drag draws neither of both anew.
 */
export function PanelEdge() {
  const edge = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(chosenWidth);
  const limits = panelLimits(useWindowWidth());
  const width = panelWidth(chosen, limits);
  useLayoutEffect(() => {
    edge.current?.parentElement?.style.setProperty('--panel-width', `${width}px`);
  }, [width]);
  const choose = (next: number | null) => {
    setChosen(next);
    keepWidth(next);
  };
  const isMirrored = () => getComputedStyle(edge.current ?? document.body).direction === 'rtl';
  const onKey = (event: KeyboardEvent) => {
    const next = widthAfter(event.key, width, { limits, isMirrored: isMirrored() });
    if (next === null) return;
    event.preventDefault();
    choose(next);
  };
  const onMove = (event: PointerEvent<HTMLDivElement>) => {
    const room = edge.current?.parentElement?.getBoundingClientRect();
    if (room === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setChosen(panelWidth(isMirrored() ? event.clientX - room.left : room.right - event.clientX, limits));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- one that moves is a control (WAI-ARIA 1.2)
    <div
      ref={edge}
      className="panel-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('editor.panelWidth')}
      aria-valuenow={width}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      tabIndex={0}
      onKeyDown={onKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onMove}
      onLostPointerCapture={() => chosen !== null && choose(width)}
      onDoubleClick={() => choose(null)}
    />
  );
}
