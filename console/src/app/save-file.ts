import { call } from './api.ts';

/** As long as the first rows of a large file may take. */
const timeoutMs = 300_000;

/**
 * Has the browser save a file of the API, without holding it, by a link that works once. The API names the file.
 * Throws ApiError if it refuses the file.
 */
export async function saveFile(path: string): Promise<void> {
  const { body } = await call('post', '/download-tickets', { body: { path }, timeoutMs });
  const { pathname, search } = new URL(body.url);
  const link = document.createElement('a');
  // At the origin of this page, where even an error is a failed download and no new page.
  link.href = `${pathname}${search}`;
  link.download = '';
  link.click();
}

/** Has the browser save a text that only this page has. */
export function saveText(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
