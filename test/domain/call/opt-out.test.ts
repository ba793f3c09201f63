import { describe, expect, test } from '@jest/globals';
import { keepOptOuts, optOutOf } from '../../../src/domain/call/opt-out.ts';
import { personNumber } from '../../../src/domain/call/person-number.ts';

describe('the opt-out in the values of a call', () => {
  test.each([
    [{ do_not_call: true }, 'do_not_call'],
    [{ do_not_call: ' Yes ' }, 'do_not_call'],
    [{ do_not_call: 'true', wrong_number: true }, 'do_not_call'],
    [{ do_not_call: false, wrong_number: 1 }, 'wrong_number'],
    [{ do_not_call: 'no', wrong_number: '' }, null],
    [{ do_not_call: null }, null],
    [{ do_not_call: 'not yet' }, null],
    [{ do_not_call: ['yes'] }, null],
    [Object.create({ do_not_call: true }), null],
    [{}, null],
  ])('%j: %s', (values, said) => {
    expect(optOutOf(values)).toBe(said);
  });

  test('an opt-out during the call stays when an extraction says otherwise', () => {
    expect(keepOptOuts({ do_not_call: true }, { do_not_call: false, day: 'Monday' })).toEqual({
      do_not_call: true,
      day: 'Monday',
    });
    expect(keepOptOuts({ do_not_call: 'true' }, { do_not_call: false })).toEqual({ do_not_call: false });
  });
});

describe('the number of the person in a call', () => {
  const numbers = { callerNumber: '+49 30 901820', calledNumber: '15551230001' };
  const none = { callerNumber: null, calledNumber: null };

  test.each([
    [{ channel: 'phone', direction: 'outbound', ...numbers }, '15551230001'],
    [{ channel: 'phone', direction: 'inbound', ...numbers }, '4930901820'],
    [{ channel: 'phone', direction: 'inbound', ...numbers, callerNumber: 'anonymous' }, null],
    [
      { channel: 'phone', direction: 'outbound', ...numbers, calledNumber: '+49 (0)151 12345678' },
      '4915112345678',
    ],
    [{ channel: 'phone', direction: 'outbound', ...none }, null],
    [{ channel: 'web', direction: 'outbound', ...numbers }, null],
    [{ channel: 'text', direction: 'inbound', ...numbers }, null],
  ])('of %j is %s', (call, phone) => {
    expect(personNumber(call)).toBe(phone);
  });
});
