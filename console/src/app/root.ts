/** The path at which the console is served, without a slash at its end: empty, unless a proxy adds a prefix. */
export const rootPath = document.documentElement.dataset['root'] ?? '';
