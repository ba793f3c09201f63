// Chooses the theme, the direction and the frame before the first paint.
(() => {
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const chosen = stored('parlance.theme');
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  // People who are not signed in see no rooms, and the first run has the whole window.
  const path = location.pathname;
  if (stored('parlance.session') !== null && !path.endsWith('/welcome'))
    document.documentElement.dataset.frame = /\/agents\/\d+/.test(path) ? 'slim' : 'wide';
  if (stored('parlance.locale') === 'ar') document.documentElement.dir = 'rtl';
})();
