interface Policies {
  createPolicy: (name: string, rules: { createHTML: (text: string) => string | null }) => unknown;
}

/**
 * React Aria empties its live region by `innerHTML = ''`, for example when a number is changed a second time.
 * The page's policy refuses every text there; this lets the empty one through and nothing else.
 */
export function trustEmptyText(): void {
  (window as { trustedTypes?: Policies }).trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text === '' ? text : null),
  });
}
