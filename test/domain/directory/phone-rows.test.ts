import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PhoneRows } from '../../../src/domain/directory/phone-rows.ts';

const phone = fc
  .oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 2_000_000, max: 2_000_400 }).map((line) => 12_020_000_000 + line * 1024),
    fc.maxSafeInteger().map((number) => (Math.abs(number) % 999_999_999_999_999) + 1),
  )
  .map(String);

test('holds what a map holds, whatever is noted in whatever order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(phone, fc.nat(4_000_000_000)), { maxLength: 3000, size: 'max' }),
      (notes) => {
        const [rows, map] = [new PhoneRows(), new Map<string, number>()];
        for (const [number, row] of notes) {
          expect(rows.get(number)).toBe(map.get(number));
          rows.set(number, row);
          map.set(number, row);
        }
        expect(rows.size).toBe(map.size);
        for (const [number, row] of map) expect(rows.get(number)).toBe(row);
      },
    ),
    { numRuns: 30 },
  );
});

test('keeps a hundred thousand consecutive numbers apart', () => {
  const rows = new PhoneRows();
  for (let index = 0; index < 100_000; index += 1) rows.set(`1202${5_000_000 + index}`, index);
  const wrong = Array.from({ length: 100_000 }, (_, index) => index).filter(
    (index) => rows.get(`1202${5_000_000 + index}`) !== index,
  );
  expect([rows.size, wrong, rows.get('12025100000')]).toEqual([100_000, [], undefined]);
});
