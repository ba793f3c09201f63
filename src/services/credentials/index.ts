export { createCredential } from './create.ts';
export { deleteCredential } from './delete.ts';
export { getCredential } from './get.ts';
export { resolveCredentialHeaders } from './headers.ts';
export { listCredentials } from './list.ts';
export { updateCredential } from './update.ts';
