const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * They take longest, so they begin first: none of them may be left to run alone at the end. Files that mostly wait for
 * speech alternate with files that compute, so that several at once leave no processor idle.
 */
const longFiles = [
  'e2e/slow-host',
  'e2e/phone-call',
  'e2e/carrier-down',
  'console/every-screen',
  'e2e/demonstration',
  'console/editor',
  'console/first-run',
  'e2e/media-host',
  'e2e/tool-at-most-once',
  'workflows/campaign/campaign',
  'api/any-request',
  'workflows/voice-survival',
  'api/described-requests',
  'media/speaking/steps',
  'workflows/call-long',
  'workflows/voice-dial',
  'services/campaigns/pacing/claiming',
  'workflows/voice-transfer',
  'api/isolation',
  'workflows/voice-outcomes',
  'api/scopes',
  'workflows/voice-dial-repeated',
  'api/every-change',
  'media/speaking/faults',
  'api/people',
  'media/speaking/voice-ahead',
  'media/speaking/resume',
];

const rank = ({ path }) => {
  const at = longFiles.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? longFiles.length : at;
};

module.exports = class LongFilesFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's own order, not an array's method
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
};
