import { send } from './api.ts';

const timeoutMs = 300_000;

/** Asks for a file with the session and saves it under the name that the API gives it. Throws ApiError. */
export async function saveFile(path: string, fallbackName: string): Promise<void> {
  const response = await send('get', path, { timeoutMs });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = nameIn(response.headers.get('content-disposition')) ?? fallbackName;
  link.click();
  URL.revokeObjectURL(url);
}

/** The file name of a `Content-Disposition`, or null. */
const nameIn = (disposition: string | null): string | null =>
  /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null;
