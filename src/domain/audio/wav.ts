import { bytesOf, samplesOf } from './pcm.ts';
import { joinSamples } from './samples.ts';
import { decodeALaw, decodeMuLaw } from './g711.ts';

/** RIFF/WAVE files: 44 bytes of header, then the samples of the channels in turn. */

export interface WavForm {
  sampleRate: number;
  /** 1 = mono; 2 = stereo, left first. */
  channels: 1 | 2;
}

const headerBytes = 44;
/** The header counts bytes in 32 bits. */
const maxDataBytes = 0xffff_ffff - headerBytes;

/** For `dataBytes` of 16-bit samples; without it, the maximum, for a stream of unknown length. */
export function wavHeader({ sampleRate, channels }: WavForm, dataBytes: number = maxDataBytes): Uint8Array {
  const header = new Uint8Array(headerBytes);
  const view = new DataView(header.buffer);
  const word = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  word(0, 'RIFF');
  view.setUint32(4, headerBytes - 8 + dataBytes, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, pcmFormat, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, dataBytes, true);
  return header;
}

/** A whole file with one or two channels of 16-bit samples; the shorter channel is padded with silence. */
export function wavFile(sampleRate: number, tracks: [Int16Array] | [Int16Array, Int16Array]): Uint8Array {
  const data = bytesOf(tracks.length === 1 ? tracks[0] : interleave(tracks[0], tracks[1]), 'little');
  const file = new Uint8Array(headerBytes + data.length);
  file.set(wavHeader({ sampleRate, channels: tracks.length }, data.length));
  file.set(data, headerBytes);
  return file;
}

export function interleave(left: Int16Array, right: Int16Array): Int16Array {
  const both = new Int16Array(Math.max(left.length, right.length) * 2);
  for (let index = 0; index < left.length; index += 1) both[index * 2] = left[index] ?? 0;
  for (let index = 0; index < right.length; index += 1) both[index * 2 + 1] = right[index] ?? 0;
  return both;
}

export interface WavAudio {
  sampleRate: number;
  /** One per channel of the file. */
  tracks: Int16Array[];
}

const pcmFormat = 1;
const aLawFormat = 6;
const muLawFormat = 7;
const extensibleFormat = 0xfffe;

/** What the header of a file says about its sound. */
export interface WavSound {
  sampleRate: number;
  channels: number;
  /** Bytes of samples in `file`. */
  bytes: number;
}

/** Reads the header of a file, of which the beginning suffices. Returns null for a file that we cannot read. */
export function readWavHeader(file: Uint8Array): WavSound | null {
  const sound = soundOf(file);
  return sound === null
    ? null
    : { sampleRate: sound.sampleRate, channels: sound.channels, bytes: sound.data.length };
}

/**
 * Reads 8- and 16-bit linear, A-law and µ-law files, at most `maxSeconds` of them. Skips other chunks and
 * reads what is left of a truncated file. Returns null for any other file.
 */
export function readWav(file: Uint8Array, maxSeconds = Infinity): WavAudio | null {
  const sound = soundOf(file);
  if (sound === null) return null;
  const { sampleRate, channels, bytesPerSample, data } = sound;
  const wanted = Math.min(data.length, maxSeconds * sampleRate * channels * bytesPerSample);
  const samples = sound.decode(data.subarray(0, wanted));
  const frames = Math.floor(samples.length / channels);
  return {
    sampleRate,
    tracks: Array.from({ length: channels }, (_, track) => {
      const samplesOfTrack = new Int16Array(frames);
      for (let index = 0; index < frames; index += 1)
        samplesOfTrack[index] = samples[index * channels + track] ?? 0;
      return samplesOfTrack;
    }),
  };
}

interface FoundSound {
  sampleRate: number;
  channels: number;
  bytesPerSample: number;
  data: Uint8Array;
  decode: (bytes: Uint8Array) => Int16Array;
}

function soundOf(file: Uint8Array): FoundSound | null {
  const chunks = chunksOf(file);
  const format = chunks?.get('fmt ');
  const data = chunks?.get('data');
  if (format === undefined || data === undefined || format.byteLength < 16) return null;
  const tag = format.getUint16(0, true);
  const channels = format.getUint16(2, true);
  const sampleRate = format.getUint32(4, true);
  const kind = tag === extensibleFormat && format.byteLength >= 26 ? format.getUint16(24, true) : tag;
  const bits = format.getUint16(14, true);
  const decode = decoderOf(kind, bits);
  if (decode === null || channels === 0 || sampleRate === 0) return null;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { sampleRate, channels, bytesPerSample: bits / 8, data: bytes, decode };
}

function chunksOf(file: Uint8Array): Map<string, DataView> | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const word = (at: number) => String.fromCodePoint(...file.subarray(at, at + 4));
  if (file.length < 12 || word(0) !== 'RIFF' || word(8) !== 'WAVE') return null;
  const chunks = new Map<string, DataView>();
  for (let at = 12; at + 8 <= file.length;) {
    const bytes = view.getUint32(at + 4, true);
    chunks.set(
      word(at),
      new DataView(file.buffer, file.byteOffset + at + 8, Math.min(bytes, file.length - at - 8)),
    );
    // Chunks begin at even offsets.
    at += 8 + bytes + (bytes % 2);
  }
  return chunks;
}

function decoderOf(kind: number, bits: number): FoundSound['decode'] | null {
  if (kind === pcmFormat && bits === 16) return (bytes) => samplesOf(bytes, 'little');
  if (kind === pcmFormat && bits === 8) return (bytes) => Int16Array.from(bytes, (byte) => (byte - 128) << 8);
  if (kind === aLawFormat && bits === 8) return decodeALaw;
  return kind === muLawFormat && bits === 8 ? decodeMuLaw : null;
}

/** The average of all tracks. */
export function toMono({ tracks }: WavAudio): Int16Array {
  const [first, ...others] = tracks;
  if (first === undefined) return joinSamples([]);
  return first.map((sample, index) =>
    Math.round(others.reduce((sum, track) => sum + (track[index] ?? 0), sample) / tracks.length),
  );
}
