import { type Shortcut, useSharedShortcuts } from './shortcuts.ts';
import { t } from './words.ts';

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.table .row-link')];

const isCurrent = (link: HTMLElement): boolean => {
  const row = link.closest('tr');
  return row?.contains(document.activeElement) === true;
};

/** The row with the focus, else the one that the page shows as chosen. */
const current = (all: readonly HTMLElement[]): HTMLElement | undefined =>
  all.find(isCurrent) ?? all.find((link) => link.closest('tr[aria-selected=true]') !== null);

function step(by: 1 | -1): void {
  const all = links();
  const at = all.findIndex(isCurrent);
  all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
}

const shortcuts: readonly Shortcut[] = [
  { keys: 'j', words: t('list.next'), run: () => step(1) },
  { keys: 'k', words: t('list.previous'), run: () => step(-1) },
  { keys: 'o', words: t('list.open'), run: () => current(links())?.click() },
];

/** Keys of every list whose rows lead somewhere: `j` and `k` move, `o` opens. A page's own keys go before. */
export const useRowKeys = (isOn = true): void => useSharedShortcuts(isOn ? shortcuts : null);
