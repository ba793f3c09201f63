/** The first picture of the page comes before what it may need later. */
const firstPictureMs = 3000;

/** Runs something when the page has its first picture and the browser has time. Safari has no idle time to offer. */
export function whenIdle(run: () => void): void {
  setTimeout(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: firstPictureMs });
    else run();
  }, firstPictureMs);
}
