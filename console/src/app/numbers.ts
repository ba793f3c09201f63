import { useEffect, useSyncExternalStore } from 'react';
import { isWholeNumber, maskedNumber } from './phone-text.ts';

const key = 'parlance.numbers';
const listeners = new Set<() => void>();
let isShown = read();
let international: ((number: string) => string) | null = null;
let isLoading = false;
/** How many parts of the page show numbers. */
let users = 0;

function read(): boolean {
  try {
    return sessionStorage.getItem(key) === 'shown';
  } catch {
    return false;
  }
}

function tell(): void {
  for (const each of listeners) each();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function toggleNumbers(): void {
  isShown = !isShown;
  try {
    sessionStorage.setItem(key, isShown ? 'shown' : 'masked');
  } catch {
    // The choice then lasts as long as the page.
  }
  tell();
}

/** Loads the formats of all countries, which only a page that shows a whole number needs. */
async function loadFormats(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  try {
    const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
    international = (number) => parsePhoneNumberFromString(number)?.formatInternational() ?? number;
    tell();
  } catch {
    isLoading = false; // E.164 is right, too
  }
}

/** Whether numbers are shown in this tab. They are masked at first, for shared screens. */
export const useNumbersShown = (): boolean => useSyncExternalStore(subscribe, () => isShown);

/** Whether something on the page shows numbers, which the key `p` then masks and unmasks. */
export const useHasNumbers = (): boolean => useSyncExternalStore(subscribe, () => users > 0);

/** A function that writes a number in E.164 as this tab shows numbers. */
export function useNumberText(): (number: string) => string {
  const shown = useNumbersShown();
  const plain = usePlainNumberText(shown);
  useEffect(() => {
    users += 1;
    if (users === 1) tell();
    return () => {
      users -= 1;
      if (users === 0) tell();
    };
  }, []);
  return shown ? plain : maskedNumber;
}

/** A function that writes a number that is never hidden, such as one of the organization's own. */
export function usePlainNumberText(isNeeded = true): (number: string) => string {
  const format = useSyncExternalStore(subscribe, () => international);
  useEffect(() => {
    if (isNeeded) void loadFormats();
  }, [isNeeded]);
  return (number) => (format !== null && isWholeNumber(number) ? format(number) : number);
}
