import { useState } from 'react';

/** JSON while somebody types it. Text that is not JSON stays in the field and changes nothing. */
export function useJsonText(value: unknown, onChange: (value: unknown) => void) {
  const shown = value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ of: string; text: string } | null>(null);
  const text = typed?.of === shown ? typed.text : shown;
  return {
    text,
    isValid: read(text) !== null,
    set: (next: string) => setTyped({ of: shown, text: next }),
    /** Applies what was typed. */
    commit: () => {
      const parsed = read(text);
      if (parsed === null || typed === null) return;
      setTyped(null);
      onChange(parsed.value);
    },
  };
}

function read(text: string): { value: unknown } | null {
  try {
    return { value: text.trim() === '' ? null : (JSON.parse(text) as unknown) };
  } catch {
    return null;
  }
}
