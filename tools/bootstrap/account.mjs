import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { run } from './command.mjs';

/** `{ name, uid, gid }` of an account in the text of /etc/passwd, or null. */
export function findAccount(passwdText, name) {
  const row = passwdText
    .split('\n')
    .map((each) => each.split(':'))
    .find(([each]) => each === name);
  return row === undefined ? null : { name, uid: Number(row[2]), gid: Number(row[3]) };
}

/**
 * Gives a folder to the account that a database server runs as. Without root rights, that is our own account.
 * As root, it is an unprivileged account, unless that account cannot write the folder or read the server's
 * program (a clone or a cache below /root); then it is root. Answers `{ name, note }`; a null name means that
 * the server needs no `--user`.
 */
export async function ownFolder(path, program) {
  if (process.getuid?.() !== 0) return { name: null, note: null };
  const passwd = readFileSync('/etc/passwd', 'utf8');
  const account = findAccount(passwd, 'mysql') ?? findAccount(passwd, 'nobody');
  if (account === null)
    return { name: 'root', note: 'There is no unprivileged account for the database: it runs as root' };
  await run('chown', ['-R', `${account.uid}:${account.gid}`, path]);
  const { uid, gid } = account;
  const may = (flag, file) => spawnSync('test', [flag, file], { uid, gid }).status === 0;
  const closed = may('-w', path) ? (may('-r', program) ? null : program) : path;
  if (closed === null) return { name: account.name, note: null };
  await run('chown', ['-R', '0:0', path]);
  return {
    name: 'root',
    note: `${account.name} cannot enter a parent folder of ${closed}: the database runs as root, on 127.0.0.1 only`,
  };
}
