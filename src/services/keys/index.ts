export { archiveKey } from './archive.ts';
export { authenticateKey } from './authenticate.ts';
export { createKey } from './create.ts';
export { listKeys } from './list.ts';
export { reactivateKey } from './reactivate.ts';
export { rotateKey } from './rotate.ts';
