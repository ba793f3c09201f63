import { useSyncExternalStore } from 'react';
import { maskedNumber } from '../call/facts.ts';

const key = 'parlance.numbers';
const listeners = new Set<() => void>();
let isShown = read();

function read(): boolean {
  try {
    return sessionStorage.getItem(key) === 'shown';
  } catch {
    return false;
  }
}

export function toggleNumbers(): void {
  isShown = !isShown;
  try {
    sessionStorage.setItem(key, isShown ? 'shown' : 'masked');
  } catch {
    // The choice then lasts as long as the page.
  }
  for (const each of listeners) each();
}

/** Whether numbers are shown in this tab. They are masked at first, for shared screens. */
export const useNumbersShown = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isShown,
  );

/** A function that writes a number as this tab shows numbers. */
export function useNumberText(): (number: string) => string {
  const shown = useNumbersShown();
  return (number) => (shown ? number : maskedNumber(number));
}
