import { useEffect, useRef, useState } from 'react';

/** JSON while somebody types it. Text that is not JSON stays in the field and changes nothing. */
export function useJsonText(value: unknown, onChange: (value: unknown) => void) {
  const shown = value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ of: string; text: string } | null>(null);
  const text = typed?.of === shown ? typed.text : shown;
  const commit = () => {
    const parsed = read(text);
    if (parsed === null || typed === null) return;
    setTyped(null);
    onChange(parsed.value);
  };
  // A field that goes away while somebody types in it gets no blur.
  const last = useRef(commit);
  useEffect(() => {
    last.current = commit;
  });
  useEffect(() => () => last.current(), []);
  return {
    text,
    isValid: read(text) !== null,
    set: (next: string) => setTyped({ of: shown, text: next }),
    /** Applies what was typed. */
    commit,
  };
}

function read(text: string): { value: unknown } | null {
  try {
    return { value: text.trim() === '' ? null : (JSON.parse(text) as unknown) };
  } catch {
    return null;
  }
}
