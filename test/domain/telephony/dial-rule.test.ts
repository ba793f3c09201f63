import { describe, expect, test } from '@jest/globals';
import {
  dialFault,
  reachedLimit,
  reachedWords,
  type DialRule,
} from '../../../src/domain/telephony/dial-rule.ts';

const usual: DialRule = { countries: null, allowsSpecialNumbers: false, sipHosts: [] };
const german: DialRule = { ...usual, countries: ['DE'], sipHosts: ['pbx.example.com', '[2001:db8::1]'] };
const open: DialRule = { ...german, countries: null, allowsSpecialNumbers: true };

describe('the dial rule', () => {
  // guarantee: emergency-number-never-dialed
  // guarantee: special-number-needs-the-switch
  // guarantee: foreign-country-not-dialed
  // guarantee: foreign-sip-host-not-dialed
  test.each<[string, string, DialRule, ReturnType<typeof dialFault>]>([
    ['a mobile number', '+491511234567', german, null],
    ['a number that no plan assigns', '+15550000001', usual, null],
    ['a toll-free number', '+4980012345678', german, null],
    ['an international toll-free number', '+80012345678', usual, null],
    ['a premium-rate number', '+499001234567', usual, 'special_number'],
    ['a premium-rate number with the national 0', '+4909001234567', usual, 'special_number'],
    ['a premium-rate number with digits behind it', '+49900123456789', usual, 'special_number'],
    ['a premium-rate number of North America', '+19005550100', usual, 'special_number'],
    ['an international premium-rate number', '+97912345678', usual, 'special_number'],
    ['a shared-cost number', '+491801234567', usual, 'special_number'],
    ['a universal access number', '+41583200000', usual, 'special_number'],
    ['a personal number', '+447012345678', usual, 'special_number'],
    ['a satellite', '+881612345678', usual, 'special_number'],
    ['directory assistance', '+4911833', usual, 'special_number'],
    ['a short service number', '+44118500', usual, 'special_number'],
    ['a special number that is allowed', '+499001234567', open, null],
    [
      'a special number of a country that is not',
      '+19005550100',
      { ...open, countries: ['DE'] },
      'country_not_allowed',
    ],
    ['an emergency number behind a country code', '+9711122', open, 'emergency_number'],
    ['an emergency number behind a country code and a 0', '+490112', open, 'emergency_number'],
    ['an emergency number', '112', open, 'emergency_number'],
    ['an emergency number behind an outside line', '9911', open, 'emergency_number'],
    ['an extension', '101', usual, null],
    ['a number of another country', '+12025550142', german, 'country_not_allowed'],
    [
      'a number of one of several countries',
      '+15550000001',
      { ...usual, countries: ['US'] },
      'country_not_allowed',
    ],
    ['a number of no country', '+80012345678', german, 'country_not_allowed'],
    ['a country code that does not exist', '+2109999999', german, 'special_number'],
    [
      'a country code that does not exist, of an organization with countries',
      '+2109999999',
      { ...open, countries: ['DE'] },
      'country_not_allowed',
    ],
    ['an emergency number as an international one', '+112', open, 'emergency_number'],
    ['an address of a host', 'sip:desk@pbx.example.com', german, null],
    ['an address with port and transport', 'sips:desk@PBX.example.com:5061;transport=tls', german, null],
    ['an address of an IPv6 host', 'sip:desk@[2001:db8::1]:5060', german, null],
    ['an address of another host', 'sip:desk@evil.example', open, 'sip_host_not_allowed'],
    ['an address without a list', 'sip:desk@pbx.example.com', usual, 'sip_host_not_allowed'],
    ['a subdomain of a host', 'sip:desk@a.pbx.example.com', open, 'sip_host_not_allowed'],
    [
      'an address sent elsewhere',
      'sip:desk@pbx.example.com;maddr=evil.example',
      open,
      'sip_host_not_allowed',
    ],
    ['an address with a route', 'sip:desk@pbx.example.com?Route=evil.example', open, 'sip_host_not_allowed'],
    ['an address with a second host', 'sip:desk@pbx.example.com,evil.example', open, 'sip_host_not_allowed'],
    ['an emergency number at a host', 'sip:112@pbx.example.com', open, 'emergency_number'],
    ['a premium-rate number at a host', 'sip:+499001234567@pbx.example.com', german, 'special_number'],
    [
      'an encoded premium-rate number at a host',
      'sip:%2B499001234567@pbx.example.com',
      german,
      'special_number',
    ],
    [
      'a foreign number at a host',
      'sip:0012025550142;phone-context=x@pbx.example.com',
      german,
      'country_not_allowed',
    ],
  ])('of %s (%s)', (_title, destination, rule, fault) => {
    expect(dialFault(destination, rule)).toBe(fault);
  });
});

describe('the limits of a day', () => {
  const limits = { calls: 10, callMinutes: 5, modelRequests: 100, voiceMinutes: 3 };
  const use = { dials: 9, talkedSeconds: 179, modelRequests: 99 };

  // guarantee: daily-limit-stops-dials
  test.each([
    [{}, {}, null],
    [{ dials: 10 }, {}, { limit: 'calls', max: 10 }],
    [{ talkedSeconds: 180 }, {}, { limit: 'voiceMinutes', max: 3 }],
    [{ talkedSeconds: 180 }, { voiceMinutes: null }, null],
    [{ talkedSeconds: 300 }, { voiceMinutes: null }, { limit: 'callMinutes', max: 5 }],
    [{ modelRequests: 100 }, {}, { limit: 'modelRequests', max: 100 }],
    [{ modelRequests: 100 }, { modelRequests: null }, null],
  ])('are reached by %j with %j: %j', (used, changed, reached) => {
    expect(reachedLimit({ ...use, ...used }, { ...limits, ...changed })).toEqual(reached);
  });

  test('are told with the maximum, its name and its end', () => {
    expect(reachedWords({ limit: 'calls', max: 10 }, new Date('2026-12-01T05:00:00.000Z'))).toBe(
      'Daily limit reached: 10 calls per day (max_calls_per_day of GET /organizations/dial-policy). It ends at 05:00 UTC on 1 Dec 2026',
    );
  });
});
