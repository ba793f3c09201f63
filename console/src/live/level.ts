/** How loud samples are: 0 for silence, 1 for the loudest that a microphone gives. */
export function levelOf(samples: Int16Array): number {
  if (samples.length === 0) return 0;
  const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length;
  // Speech lies between -60 and -10 dB.
  return Math.min(1, Math.max(0, (10 * Math.log10(power + 1e-9) + 60) / 50));
}
