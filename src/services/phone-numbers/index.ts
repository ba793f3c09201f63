export { createPhoneNumber } from './create.ts';
export { deletePhoneNumber } from './delete.ts';
export { getPhoneNumber } from './get.ts';
export { listPhoneNumbers } from './list.ts';
export { setDefaultCaller } from './set-default-caller.ts';
export { updatePhoneNumber } from './update.ts';
