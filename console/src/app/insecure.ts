/**
 * Replaces functions that browsers offer only to pages with TLS or at localhost, so that the console also works over plain
 * HTTP.
 */

/** A random id of 32 hex digits. */
export const freshId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Copies a text to the clipboard. Throws if the browser does not let it. */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return await clipboard.writeText(text);
  const give = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', give, { capture: true, once: true });
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without navigator.clipboard
  if (!document.execCommand('copy')) throw new Error('The browser copies nothing');
}
