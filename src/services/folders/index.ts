export { createFolder } from './create.ts';
export { deleteFolder } from './delete.ts';
export { lockFolder } from './internal.ts';
export { listFolders } from './list.ts';
export { renameFolder } from './rename.ts';
