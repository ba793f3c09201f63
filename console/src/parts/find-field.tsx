import { Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../app/shortcuts.ts';

const typingMs = 300;

/** Narrows a list by a text that the address keeps. What is typed counts when the person pauses; `/` leads there. */
export function FindField({
  label,
  hint = label,
  q,
  onFind,
}: {
  label: string;
  hint?: string;
  q: string;
  onFind: (text: string) => void;
}) {
  const [text, setText] = useState(q);
  const found = useRef(q);
  const input = useRef<HTMLInputElement>(null);
  const keys = useMemo(() => ({ '/': label }), [label]);
  useKeys(keys, { '/': () => input.current?.focus() });
  useEffect(() => {
    if (q === found.current) return;
    found.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    const next = text.trim();
    if (next === found.current) return undefined;
    const timer = setTimeout(() => {
      found.current = next;
      onFind(next);
    }, typingMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `onFind` is new each time
  }, [text]);
  return (
    <label className="find input">
      <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={hint}
        maxLength={255}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <kbd className="hide-s">/</kbd>
    </label>
  );
}
