import { describe, expect, it } from '@jest/globals';
import { encodeALaw, encodeMuLaw } from '../../../src/domain/audio/g711.ts';
import { readWav, toMono, wavFile, wavHeader } from '../../../src/domain/audio/wav.ts';

const left = Int16Array.of(1, 2, 3, -4);
const right = Int16Array.of(10, 20);

describe('a WAV file', () => {
  it('with one or two tracks is read as it was written', () => {
    expect(readWav(wavFile(8000, [left]))).toEqual({ sampleRate: 8000, tracks: [left] });
    expect(readWav(wavFile(16000, [left, right]))).toEqual({
      sampleRate: 16000,
      tracks: [left, Int16Array.of(10, 20, 0, 0)],
    });
  });

  it('has the header of the format', () => {
    expect(Buffer.from(wavHeader({ sampleRate: 8000, channels: 2 }, 16)).toString('hex')).toBe(
      '524946463400000057415645666d74201000000001000200401f0000007d0000040010006461746110000000',
    );
  });

  it('of unknown length, or truncated, yields the samples it has', () => {
    expect(readWav(wavFile(8000, [left]).subarray(0, 49))?.tracks).toEqual([Int16Array.of(1, 2)]);
    const open = new Uint8Array([...wavHeader({ sampleRate: 8000, channels: 1 }), 1, 0]);
    expect(readWav(open)?.tracks).toEqual([Int16Array.of(1)]);
  });

  it('may contain other chunks and phone codecs', () => {
    const withFormat = (format: number, bits: number, data: Uint8Array) => {
      const file = Buffer.concat([
        wavHeader({ sampleRate: 8000, channels: 1 }, data.length).subarray(0, 36),
        Buffer.from('LIST\x03\0\0\0abc\0', 'latin1'),
        Buffer.from('data'),
        Buffer.from(Uint32Array.of(data.length).buffer),
        data,
      ]);
      file.writeUInt16LE(format, 20);
      file.writeUInt16LE(bits, 34);
      return file;
    };
    expect(readWav(withFormat(7, 8, encodeMuLaw(Int16Array.of(0, 132))))?.tracks).toEqual([
      Int16Array.of(0, 132),
    ]);
    expect(readWav(withFormat(6, 8, encodeALaw(Int16Array.of(8, 264))))?.tracks).toEqual([
      Int16Array.of(8, 264),
    ]);
    expect(readWav(withFormat(1, 8, Uint8Array.of(128, 255)))?.tracks).toEqual([Int16Array.of(0, 127 << 8)]);
    expect(readWav(withFormat(1, 24, Uint8Array.of(1, 2, 3)))).toBeNull();
  });

  it('is distinguished from other files', () => {
    for (const file of [
      new Uint8Array(0),
      Buffer.from('RIFF'),
      Buffer.from('not a wav file at all, whatever it says'),
      wavFile(8000, [left]).subarray(0, 30),
    ])
      expect(readWav(file)).toBeNull();
  });

  it('with several tracks is averaged to one', () => {
    expect(toMono({ sampleRate: 8000, tracks: [Int16Array.of(100, -5), Int16Array.of(300, -5)] })).toEqual(
      Int16Array.of(200, -5),
    );
  });
});
