const named: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

/** The keys of a shortcut, pressed one after another, each with those held down: `Ctrl+Z` is Ctrl, Shift and Z. */
export const keyCaps = (keys: string): readonly (readonly string[])[] =>
  keys.split(' ').map((pressed) => {
    const held = pressed.split('+').slice(0, -1);
    const key = pressed.slice(pressed.lastIndexOf('+') + 1);
    if (!/^[a-z]$/i.test(key)) return [...held, named[key] ?? key];
    const isShifted = key !== key.toLowerCase();
    // A single letter is typed; with others it is the key that has the letter on it.
    return [...held, ...(isShifted ? ['Shift'] : []), held.length > 0 ? key.toUpperCase() : key];
  });
