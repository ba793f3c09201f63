import { useEffect, useMemo, useRef } from 'react';
import { choice } from './choice.ts';

/** A key or a sequence of two (`g a`), and what it does. */
export interface Shortcut {
  keys: string;
  /** What the help says of it. */
  words: string;
  run: () => void;
}

const active: Shortcut[][] = [];
/** Of the frame and of parts that many pages share; a page that binds the same keys goes before. */
const shared: (readonly Shortcut[])[] = [];
const sequenceMs = 1000;
let first: { key: string; atMs: number } | null = null;

/** Single keys can be switched off, because speech input types them by accident (WCAG 2.1.4). */
export const singleKeys = choice('keys', ['on', 'off']);

/** All shortcuts of the page, each keys once: first its own. */
export function listShortcuts(): readonly Shortcut[] {
  const all = [...active.toReversed().flat(), ...shared.flat()];
  return all.filter(({ keys }, index) => all.findIndex((each) => each.keys === keys) === index);
}

/** Binds shortcuts while the component is shown. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    const mine = [...shortcuts];
    active.push(mine);
    return () => {
      active.splice(active.indexOf(mine), 1);
    };
  }, [shortcuts]);
}

/** Binds shortcuts of the frame, or of a part that many pages share, which do the same wherever it stands. */
export function useSharedShortcuts(shortcuts: readonly Shortcut[] | null): void {
  useEffect(() => {
    if (shortcuts === null) return undefined;
    shared.push(shortcuts);
    return () => {
      shared.splice(shared.indexOf(shortcuts), 1);
    };
  }, [shortcuts]);
}

/**
 * Binds keys to what they do at present, which may change with every render; `words` say it in the help and
 * stay the same.
 */
export function useKeys<Key extends string>(
  words: Readonly<Record<Key, string>>,
  actions: Readonly<Record<Key, () => void>>,
): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const shortcuts = useMemo(
    () =>
      Object.entries<string>(words).map(([keys, said]) => ({
        keys,
        words: said,
        run: () => latest.current[keys as Key](),
      })),
    [words],
  );
  useShortcuts(shortcuts);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Space and Enter press what has the focus; a link knows Enter alone. */
const isPress = (name: string, target: EventTarget | null): boolean =>
  target instanceof Element &&
  ((name === 'Space' && target.closest('button, [role=button], [role=tab]') !== null) ||
    (name === 'Enter' && target.closest('a, button, [role=button], [role=tab]') !== null));

/** The name of a pressed key with its modifiers: `Ctrl+k`, `g`, `?`. */
export function nameOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string {
  const key = event.key === ' ' ? 'Space' : event.key;
  const isNamed = key.length > 1;
  return [
    event.ctrlKey || event.metaKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey && isNamed ? 'Shift' : '',
    key,
  ]
    .filter(Boolean)
    .join('+');
}

/** Pressed on the way to a shortcut, and none themselves. */
const modifiers: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta']);

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || modifiers.has(event.key)) return;
  const name = nameOf(event);
  const isSingle = !name.includes('Ctrl+') && !name.includes('Alt+');
  if (
    isSingle &&
    (isTyping(event.target) || singleKeys.get() === 'off' || document.querySelector('.scrim') !== null)
  )
    return;
  if (isPress(name, event.target)) return;
  const before = first !== null && performance.now() - first.atMs < sequenceMs ? `${first.key} ` : '';
  const named = (keys: string) => listShortcuts().find((each) => each.keys === keys);
  const found = named(`${before}${name}`) ?? named(name);
  first = found === undefined ? { key: name, atMs: performance.now() } : null;
  if (found === undefined) return;
  event.preventDefault();
  found.run();
});
