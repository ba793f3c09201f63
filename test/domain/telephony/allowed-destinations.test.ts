import { describe, expect, test } from '@jest/globals';
import { destinationPattern } from '../../../src/contract/data/destination-patterns.ts';
import { lacksAllowedDestinations } from '../../../src/domain/graph/graph-tools.ts';
import { isAllowed } from '../../../src/domain/telephony/allowed-destinations.ts';

describe('the list of a transfer', () => {
  test.each([
    ['+493012345', true],
    ['+4930*', true],
    ['+1*', true],
    ['sip:*@pbx.example.com', true],
    ['sips:desk-*@pbx.example.com:5061', true],
    ['sip:desk@10.0.0.7', true],
    ['*', false],
    ['+*', false],
    ['+49', false],
    ['+49*30', false],
    ['4930*', false],
    ['+49 30*', false],
    ['+0301234567', false],
    ['sip:*', false],
    ['sip:*@*', false],
    ['sip:*@*.example.com', false],
    ['sip:desk@pbx.example.com;transport=tcp', false],
    ['sip:a@b@pbx.example.com', false],
    ['tel:+493012345', false],
    ['', false],
  ])('takes %j: %s', (entry, isTaken) => {
    expect(destinationPattern.test(entry)).toBe(isTaken);
  });

  const allowed_destinations = ['+4930*', '+15550000001', 'sip:*@pbx.example.com', 'sip:desk@10.0.0.7'];
  test.each([
    ['+4930123456', true],
    ['+15550000001', true],
    ['sip:anna@pbx.example.com', true],
    ['SIP:Anna@PBX.example.com', true],
    ['sip:desk@10.0.0.7', true],
    ['+19005550000', false],
    ['+155500000012', false],
    ['+493', false],
    ['sip:anna@evil.example', false],
    ['sip:anna@pbxxexample.com', false],
    ['sip:anna@pbx.example.com.evil.example', false],
    ['sip:anna@evil.example;x=@pbx.example.com', false],
    ['sip:anna%40evil.example@pbx.example.com', false],
    ['sip:anna;phone-context=evil@pbx.example.com', false],
    ['sip:anna@pbx.example.com;maddr=evil.example', false],
    ['sip:anna@pbx.example.com?Route=evil', false],
    ['sips:anna@pbx.example.com', false],
    ['sip:desk@10a0a0a7', false],
  ])('lets the conversation choose %s: %s', (destination, isTaken) => {
    expect(isAllowed({ destination, by: 'conversation' }, { allowed_destinations })).toBe(isTaken);
  });

  test.each([
    ['maker', {}, true],
    ['maker', { allowed_destinations }, true],
    ['context', {}, true],
    ['context', { allowed_destinations }, false],
    ['conversation', {}, false],
    ['conversation', { allowed_destinations: null }, false],
    ['conversation', { allowed_destinations: [] }, false],
    ['conversation', { allowed_destinations: ['*', '+*', 7] }, false],
  ] as const)('chosen by the %s with %j may be another number: %s', (by, config, isTaken) => {
    expect(isAllowed({ destination: '+19005550000', by }, config)).toBe(isTaken);
  });

  test.each([
    [{ destination: '+4930123456' }, false],
    [{ destination: '{{initial_context.desk}}' }, false],
    [{ destination: '{{gathered_context.desk}}' }, true],
    [{ destination: '{{gathered_context.desk}}', allowed_destinations: ['+4930*'] }, false],
    [{ destination_source: 'dynamic' }, true],
    [{ destination_source: 'dynamic', resolver: { url: 'https://desk.example' } }, true],
    [{ destination_source: 'dynamic', allowed_destinations: [] }, true],
    [{ destination_source: 'dynamic', allowed_destinations: ['+4930*'] }, false],
    [
      {
        destination_source: 'context_mapping',
        context_mapping: { rules: [{ routes: [{ destination: '+4930123456' }] }] },
      },
      false,
    ],
    [
      {
        destination_source: 'context_mapping',
        context_mapping: { rules: [{ routes: [{ destination: '{{gathered_context.desk}}' }] }] },
      },
      true,
    ],
  ])('is missing in %j: %s', (config, isMissing) => {
    expect(lacksAllowedDestinations(config)).toBe(isMissing);
  });
});
