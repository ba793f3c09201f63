/** `node bundle-roles-main.mjs <folder>`: bundles the roles in a process of its own. */
import { bundleRoles } from './bundle-roles.mjs';

await bundleRoles(process.argv[2]);
