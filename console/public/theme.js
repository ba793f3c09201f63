// Chooses the theme and the direction before the first paint.
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
  if (stored('parlance.locale') === 'ar') document.documentElement.dir = 'rtl';
})();
