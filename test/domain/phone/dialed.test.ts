import { describe, expect, test } from '@jest/globals';
import { phoneNumberPattern, readDialed } from '../../../src/domain/phone/dialed.ts';

describe('the number to dial for what a client wrote (contract 5.4)', () => {
  test.each([
    ['4915112345678', '+4915112345678'],
    ['+4915112345678', '+4915112345678'],
    ['  +49 (151) 123-45.678 ', '+4915112345678'],
    ['+1\u00a0555\u00a01230001', '+15551230001'],
    ['1234567', '+1234567'],
    ['123456789012345', '+123456789012345'],
  ])('%j is dialed as %s', (text, dialed) => {
    expect(readDialed(text)).toBe(dialed);
  });

  // guarantee: range-is-never-one-number
  test.each([
    '',
    ' ',
    '+',
    '123456',
    '1234567890123456',
    '0049151123456',
    '015112345678',
    '++4915112345678',
    '49+15112345678',
    '4915112345678x1',
    '49/15112345678',
    '٤٩١٥١١٢٣٤٥٦',
    '491511234567\u0000',
    '1234',
    'sip:bob@example.test',
    '2026-03-09',
    '09.03.2026',
    '+49 30 23125 110 - 112',
  ])('%j cannot be dialed', (text) => {
    expect(readDialed(text)).toBeNull();
  });

  test.each([
    ['1234', '1234'],
    ['+123', '+123'],
    ['sip:Bob@pbx.example.test:5060', 'sip:Bob@pbx.example.test:5060'],
    ['4915112345678', '+4915112345678'],
    ['sip:nobody', null],
    ['call me', null],
    ['', null],
  ])("at a customer's PBX %j is %j", (text, dialed) => {
    expect(readDialed(text, { isOwnPbx: true })).toBe(dialed);
  });

  test("a refusal shows the contract's pattern", () => {
    expect(phoneNumberPattern).toBe('^\\+?[1-9]\\d{6,14}$');
  });
});
