export { authenticateKey } from './authenticate.ts';
export { createKey, insertKey } from './create.ts';
