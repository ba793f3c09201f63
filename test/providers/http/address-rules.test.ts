import { describe, expect, test } from '@jest/globals';
import {
  isPublicAddress,
  judgeUrl,
  parseAllowedHosts,
  type AddressRules,
} from '../../../src/providers/http/address-rules.ts';

const strict: AddressRules = { allowHttp: false, allowedHosts: [] };
const lenient: AddressRules = { allowHttp: true, allowedHosts: [] };

function reasonOf(url: string, rules = lenient): string {
  const judged = judgeUrl(url, rules);
  return judged.kind === 'refused' ? judged.reason : 'allowed';
}

describe('a customer URL', () => {
  test('may be https on 443, 80 and 8443', () => {
    for (const url of [
      'https://example.com/a?b=c',
      'https://example.com:8443/',
      'https://example.com:80/',
      'https://93.184.215.14/',
      'https://[2606:2800:21f::1]/',
    ]) {
      expect([url, reasonOf(url, strict)]).toEqual([url, 'allowed']);
    }
  });

  test('may be plain http only if the operator allows it', () => {
    expect(reasonOf('http://example.com/', strict)).toBe('scheme_not_allowed');
    expect(reasonOf('http://example.com/', lenient)).toBe('allowed');
  });

  test.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
  ])('must not have another scheme: %s', (url) => {
    expect(reasonOf(url)).toBe('scheme_not_allowed');
  });

  test.each([
    '',
    'example.com',
    'https://',
    'https://exa mple.com/',
    'https://[::1',
    'https://example.com:99999/',
  ])('must be valid: "%s"', (url) => {
    expect(reasonOf(url)).toBe('url_invalid');
  });

  test('must not contain credentials', () => {
    expect(reasonOf('https://user:secret@example.com/')).toBe('credentials_in_url');
    expect(reasonOf('https://user@example.com/')).toBe('credentials_in_url');
    expect(reasonOf('https://user@evil@127.0.0.1/')).toBe('credentials_in_url');
  });

  test.each([22, 25, 3306, 6379, 7233, 8080, 8000])('must not have port %i', (port) => {
    expect(reasonOf(`https://example.com:${port}/`)).toBe('port_not_allowed');
  });

  test('must not be longer than 8192 characters', () => {
    expect(reasonOf(`https://example.com/${'a'.repeat(8192)}`)).toBe('url_too_long');
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '127.0.0.1.',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
  ])('must not have the address %s in any form', (host) => {
    expect(reasonOf(`https://${host}/`)).toBe('address_not_allowed');
  });

  test('is not public if its address is invalid', () => {
    for (const text of ['', 'localhost', '1.2.3.4.5', 'fe80::1%eth0'])
      expect(isPublicAddress(text)).toBe(false);
  });
});

describe("the operator's list", () => {
  // guarantee: allowed-private-host-names-port
  test('allows a listed host on 443, 80 and 8443, a listed host:port only on that port, and host:* on every port', () => {
    const rules = {
      allowHttp: true,
      allowedHosts: parseAllowedHosts([
        'localhost',
        '127.0.0.1:9000',
        '::1',
        '[fd00::1]:9001',
        'pbx.internal:*',
        '[fd00::2]:*',
      ]),
    };
    expect(reasonOf('http://LOCALHOST./', rules)).toBe('allowed');
    expect(reasonOf('https://localhost:8443/', rules)).toBe('allowed');
    for (const url of ['http://localhost:8233/', 'http://localhost:3306/', 'http://[::1]:7233/'])
      expect([url, reasonOf(url, rules)]).toEqual([url, 'port_not_allowed']);
    expect(reasonOf('http://pbx.internal:5/', rules)).toBe('allowed');
    expect(reasonOf('http://[fd00::2]:5/', rules)).toBe('allowed');
    expect(reasonOf('http://127.0.0.1:9000/', rules)).toBe('allowed');
    expect(reasonOf('http://0x7f000001:9000/', rules)).toBe('allowed');
    expect(reasonOf('http://127.0.0.1:9001/', rules)).toBe('port_not_allowed');
    expect(reasonOf('http://127.0.0.1/', rules)).toBe('address_not_allowed');
    expect(reasonOf('http://[::1]/', rules)).toBe('allowed');
    expect(reasonOf('http://[fd00::1]:9001/', rules)).toBe('allowed');
    expect(reasonOf('http://[fd00::1]:9002/', rules)).toBe('port_not_allowed');
  });

  test('knows the port that belongs to the scheme', () => {
    const allowedHosts = parseAllowedHosts(['10.0.0.5:80', '10.0.0.6:443']);
    expect(reasonOf('http://10.0.0.5/', { allowHttp: true, allowedHosts })).toBe('allowed');
    expect(reasonOf('https://10.0.0.6/', { allowHttp: true, allowedHosts })).toBe('allowed');
    expect(reasonOf('https://10.0.0.5/', { allowHttp: true, allowedHosts })).toBe('address_not_allowed');
  });

  test('does not allow plain http', () => {
    expect(
      reasonOf('http://localhost/', { allowHttp: false, allowedHosts: parseAllowedHosts(['localhost']) }),
    ).toBe('scheme_not_allowed');
  });

  test.each([
    'http://localhost',
    'localhost/path',
    'user@localhost',
    'a b',
    'host:port',
    '*',
    '*:*',
    'host:80:*',
  ])('names an entry that is neither host nor host:port: %s', (entry) => {
    expect(() => parseAllowedHosts([entry])).toThrow(entry);
  });
});
