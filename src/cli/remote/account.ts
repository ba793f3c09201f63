import { ApiRefusal } from '../failures.ts';
import type { ApiClient } from './client.ts';

/** Throws ApiRefusal for a key that is none. One that may not read is one all the same. */
export async function checkKey(api: ApiClient): Promise<void> {
  try {
    await api.call('get', '/organizations/context', {});
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 403) throw error;
  }
}
