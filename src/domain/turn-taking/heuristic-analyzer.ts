import type { TurnAnalyzer, TurnQuestion, TurnVerdict } from './analyzer.ts';
import { sentenceEnd } from './sentence-end.ts';

/**
 * Voices get quieter at the end of a statement; a steeper fall counts as an end. Ours, not tested on people.
 */
const fallingDbPerSecond = -15;
const frameMs = 20;
const slopeMs = 400;
/** RMS of 16-bit samples; below it there is no voice. */
const minRms = 80;

/**
 * Judges by the words, and by the voice when the words are inconclusive. It uses no model;
 * docs/turn-taking.md describes its limits.
 */
export function createHeuristicAnalyzer(): TurnAnalyzer {
  return {
    name: 'text and prosody heuristic',
    wantsMs: 1000,
    analyze: (question) => Promise.resolve(judgeTurn(question)),
  };
}

/**
 * The heuristic as a pure function. Conclusive words decide, then the slope of the voice. Without either,
 * text of a recognizer without punctuation counts as complete.
 */
export function judgeTurn({ text, language, samples, sampleRate }: TurnQuestion): TurnVerdict {
  const end = sentenceEnd(text, language);
  if (end === 'finished') return { isComplete: true, probability: 0.9 };
  if (end === 'unfinished' || text.trim() === '') return { isComplete: false, probability: 0.1 };
  const slope = energySlope(samples, sampleRate);
  if (slope !== null)
    return slope <= fallingDbPerSecond
      ? { isComplete: true, probability: 0.7 }
      : { isComplete: false, probability: 0.4 };
  const isPunctuated = /[.,!?;:。、，！？]/u.test(text);
  return { isComplete: !isPunctuated, probability: 0.5 };
}

/** Decibels per second over the last `slopeMs` of voice; null when there is too little voice. */
export function energySlope(samples: Int16Array, sampleRate: number): number | null {
  const frameSamples = Math.round((sampleRate * frameMs) / 1000);
  const levels: number[] = [];
  for (let start = 0; start + frameSamples <= samples.length; start += frameSamples)
    levels.push(rmsOf(samples.subarray(start, start + frameSamples)));
  const lastVoiced = levels.findLastIndex((level) => level >= minRms);
  const voiced = levels.slice(Math.max(0, lastVoiced + 1 - slopeMs / frameMs), lastVoiced + 1);
  return voiced.length < 5
    ? null
    : (1000 / frameMs) * slopeOf(voiced.map((level) => 20 * Math.log10(Math.max(1, level))));
}

function rmsOf(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
}

/** Slope of the least-squares line over equal steps. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  const over = values.reduce((sum, each, index) => sum + (index - middle) * (each - mean), 0);
  return over / values.reduce((sum, _each, index) => sum + (index - middle) ** 2, 0);
}
