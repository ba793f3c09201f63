import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useState } from 'react';

/** A table of more rows draws only those in view. */
const maxPlainRows = 100;

/** The nearest part around an element that scrolls. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each !== null; each = each.parentElement)
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  return document.documentElement;
}

/**
 * Which rows of a table are drawn, and how much room stands above and below for the others. `height` is that of a row
 * which was not yet measured.
 */
export function useVirtualRows(count: number, height: number) {
  const isVirtual = count > maxPlainRows;
  const [table, setTable] = useState<HTMLTableElement | null>(null);
  const [place, setPlace] = useState<{ scroller: HTMLElement; top: number } | null>(null);
  // What stands above the table may come and go with any render.
  // oxlint-disable-next-line react/exhaustive-deps -- sets only what has changed
  useLayoutEffect(() => {
    const body = table?.tBodies[0];
    if (!isVirtual || body === undefined) return;
    const scroller = place?.scroller ?? scrollerOf(body);
    const top = Math.round(
      body.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
    );
    if (place === null || Math.abs(place.top - top) > 1) setPlace({ scroller, top });
  });
  const top = place?.top ?? 0;
  const virtual = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => place?.scroller ?? null,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: top,
  });
  const items = virtual.getVirtualItems();
  const plain = Array.from({ length: isVirtual ? 0 : count }, (_, index) => index);
  return {
    ref: setTable,
    drawn: isVirtual ? items.map(({ index }) => index) : plain,
    measure: isVirtual ? virtual.measureElement : undefined,
    above: Math.max(0, (items[0]?.start ?? top) - top),
    below: isVirtual ? Math.max(0, virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top)) : 0,
  };
}
