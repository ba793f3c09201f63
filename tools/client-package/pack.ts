import { buildClientPackage } from './build.ts';

/** `npm run parlance:pack`: the command-line client as a package that npm installs, in `dist`. */
const { tarball, files } = await buildClientPackage();
console.log(`${tarball}, ${files} files. Install it with: npm install --global ${tarball}`);
