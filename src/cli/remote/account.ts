import { ApiRefusal } from '../failures.ts';
import type { ApiClient } from './client.ts';

/** Throws ApiRefusal for an invalid key. A key without the scope `read` is valid too. */
export async function checkKey(api: ApiClient): Promise<void> {
  try {
    await api.call('get', '/organizations/context', {});
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 403) throw error;
  }
}
