export { authenticateKey } from './authenticate.ts';
export { createKey } from './create.ts';
