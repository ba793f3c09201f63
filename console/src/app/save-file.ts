import { send } from './api.ts';

const timeoutMs = 300_000;

/** Saves the file of a GET below `/api/v1` under a name. Throws ApiError. */
export async function saveFile(path: string, name: string): Promise<void> {
  const response = await send('get', path, { timeoutMs });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
