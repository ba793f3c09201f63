import { describe, expect, test } from '@jest/globals';
import { readAddress } from '../../../src/domain/phone/address.ts';

const read = (type: string, normalized: string) => ({ kind: 'read', type, normalized });

describe('a number of the platform is stored in the form that is called (contract 12.2)', () => {
  test.each([
    ['+1 (555) 123-0001', null, '+15551230001'],
    ['15551230001', null, '+15551230001'],
    ['918043071383', null, '+918043071383'],
    ['5551230001', 'US', '+15551230001'],
    ['5551230001', 'us', '+15551230001'],
    ['15551230001', 'US', '+15551230001'],
    ['08043071383', 'IN', '+918043071383'],
    ['91 80430 71383', 'IN', '+918043071383'],
    ['0044 20 7946 0000', null, '+442079460000'],
    ['0044 20 7946 0000', 'US', '+442079460000'],
    ['020 7946 0000', 'GB', '+442079460000'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['06 1234 5678', 'IT', '+390612345678'],
    ['0151 1234567', 'DE', '+491511234567'],
    ['491511234567', 'DE', '+491511234567'],
    ['+44 20 7946 0000', 'US', '+442079460000'],
  ])('%s in %s is the public number %s', (typed, country, normalized) => {
    expect(readAddress(typed, country)).toEqual(read('pstn', normalized));
  });

  test.each(['1234', '+123', '123456'])('%s is an extension and stays as it is', (typed) => {
    expect(readAddress(typed, null)).toEqual(read('sip_extension', typed));
  });

  test.each([
    ['sip:Bob@Host.COM:5060', 'sip:Bob@host.com'],
    ['SIPS:Bob@Host.COM', 'sips:Bob@host.com'],
    ['sip:bob@host.com;transport=tcp', 'sip:bob@host.com'],
    ['sip:bob@[2001:DB8::1]:5061', 'sip:bob@[2001:db8::1]'],
  ])('%s is the SIP address %s', (typed, normalized) => {
    expect(readAddress(typed, null)).toEqual(read('sip_uri', normalized));
  });

  test.each(['5551230001', '08043071383', '5551230', '55560080099', '11987654321'])(
    '%s is a national number, so its country is needed',
    (typed) => {
      expect(readAddress(typed, null)).toEqual({ kind: 'country_needed' });
    },
  );

  test.each([
    ['call me', null],
    ['sip:nobody', null],
    ['', null],
    ['+0123456789', null],
    ['+1234567890123456', null],
    ['5551230001', 'ZZ'],
    ['1111111', 'US'],
  ])('%s in %s cannot be called', (typed, country) => {
    expect(readAddress(typed, country)).toEqual({ kind: 'unreadable' });
  });
});
