import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '@temporalio/client';
import { isTemporalUnavailable } from '../../src/temporal/unavailable.ts';

function grpcError(code: number, details: string): Error {
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
}

describe('Temporal counts as unavailable', () => {
  test.each([
    ['an unreachable server', grpcError(14, 'No connection established')],
    ['a late answer', grpcError(4, 'Deadline exceeded')],
    [
      'a Workflow whose workers crash repeatedly',
      grpcError(9, 'Unable to perform workflow execution update due to Workflow Task in failed state.'),
    ],
    [
      'the same in the form of an update-with-start',
      Object.assign(grpcError(9, 'Update-with-Start could not be executed.'), {
        message: 'Unable to perform workflow execution update due to Workflow Task in failed state.',
      }),
    ],
    [
      'one of them as a cause',
      new ServiceError('Failed to start', { cause: grpcError(14, 'No connection established') }),
    ],
  ])('%s', (_what, error) => {
    expect(isTemporalUnavailable(error)).toBe(true);
  });
});

describe('Temporal does not count as unavailable', () => {
  test.each([
    ['a refused request', grpcError(3, 'Invalid argument')],
    ['a precondition of another kind', grpcError(9, 'Namespace is not active')],
    ['a bug', new TypeError('x is not a function')],
  ])('%s', (_what, error) => {
    expect(isTemporalUnavailable(error)).toBe(false);
  });
});
