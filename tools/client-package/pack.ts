import { buildClientPackage } from './build.ts';

/** `npm run parlance:pack`: packs the command-line client for npm, into `dist`. */
const { tarball, files } = await buildClientPackage();
console.log(`${tarball}, ${files} files. Install it with: npm install --global ${tarball}`);
