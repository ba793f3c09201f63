import { describe, expect, test } from '@jest/globals';
import { findAccount } from '../../../tools/bootstrap/account.mjs';
import { dockerMysqlArgs } from '../../../tools/bootstrap/docker.mjs';
import { parseServerVersion } from '../../../tools/bootstrap/mysql-find.mjs';
import { parseGreeting } from '../../../tools/bootstrap/mysql.mjs';
import { maxSocketPathBytes, socketPath } from '../../../tools/bootstrap/socket-path.mjs';

describe('a database server', () => {
  test.each([
    [
      '/usr/sbin/mysqld  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)',
      { kind: 'mariadb', version: '10.11.19' },
    ],
    ['mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))', { kind: 'mysql', version: '9.7.4' }],
    ['mysqld: unknown option', null],
  ])('is recognized by its version line: %s', (line, found) => {
    expect(parseServerVersion(line)).toEqual(found);
  });

  test('sends its version in its first packet', () => {
    const packet = (version: string) =>
      Buffer.concat([Buffer.from([74, 0, 0, 0, 10]), Buffer.from(`${version}\0rest`)]);
    expect(parseGreeting(packet('9.7.4-2'))).toBe('9.7.4-2');
    expect(parseGreeting(packet('5.5.5-10.11.19-MariaDB'))).toBe('10.11.19-MariaDB');
  });

  test('is not usable while its first packet is an error', () => {
    expect(parseGreeting(Buffer.from([20, 0, 0, 0, 255, 21, 4, 35, 0]))).toBeNull();
  });

  test('in Docker listens on the loopback only and keeps its data in a volume, but not for tests', () => {
    const kept = dockerMysqlArgs({
      name: 'mysql',
      port: 13306,
      password: 'p',
      user: 'parlance',
      database: 'parlance',
      keep: true,
    });
    expect(kept).toContain('127.0.0.1:13306:3306');
    expect(kept).toContain('-v');
    expect(
      dockerMysqlArgs({
        name: 'test',
        port: 1,
        password: 'p',
        user: 'root',
        database: undefined,
        keep: false,
      }),
    ).not.toContain('-v');
  });

  test('runs as an account that is found by its full name', () => {
    const passwd =
      'root:x:0:0::/root:/bin/bash\nnobody2:x:5:5::/:/bin/false\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n';
    expect(findAccount(passwd, 'nobody')).toEqual({ name: 'nobody', uid: 65534, gid: 65534 });
    expect(findAccount(passwd, 'mysql')).toBeNull();
  });
});

describe('a Unix socket', () => {
  test('is in the state folder when its path fits', () => {
    expect(socketPath('/p/.parlance/run', 'start.sock', '/tmp')).toEqual({
      path: '/p/.parlance/run/start.sock',
      moved: false,
    });
  });

  test('moves to a short path per project when its own path is too long', () => {
    const long = (name: string) => `/home/${name.repeat(60)}/.parlance/run`;
    const { path, moved } = socketPath(long('ab'), 'start.sock', '/tmp');
    expect(moved).toBe(true);
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(maxSocketPathBytes);
    expect(socketPath(long('cd'), 'start.sock', '/tmp').path).not.toBe(path);
  });

  test('is measured in bytes, as the system does', () => {
    expect(socketPath(`/${'é'.repeat(50)}`, 'start.sock', '/tmp').moved).toBe(true);
  });
});
