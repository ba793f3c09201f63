export { createOrganization, type NewOrganization } from './create.ts';
