import fc from "fast-check";
import { expect, test } from "vitest";
import { meanInterval, rateDifferenceInterval, rateInterval } from "./intervals.ts";

test("a rate's interval contains the rate, is within 0 to 1 and narrows with more items", () => {
  const counts = fc.integer({ min: 1, max: 5_000 }).chain((total) => fc.tuple(fc.nat(total), fc.constant(total)));
  fc.assert(
    fc.property(counts, ([passed, total]) => {
      const { low, high } = rateInterval(passed, total) ?? { low: 2, high: -1 };
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(passed / total);
      expect(high).toBeGreaterThanOrEqual(passed / total);
      const more = rateInterval(2 * passed, 2 * total) ?? { low: 0, high: 1 };
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});

test("the interval of a rate difference contains the difference and is mirrored if the sides are swapped", () => {
  const passes = fc
    .integer({ min: 1, max: 500 })
    .chain((total) => fc.record({ passed: fc.nat(total), total: fc.constant(total) }));
  fc.assert(
    fc.property(passes, passes, (a, b) => {
      const { low, high } = rateDifferenceInterval(a, b) ?? { low: 2, high: -2 };
      const difference = a.passed / a.total - b.passed / b.total;
      expect(low).toBeLessThanOrEqual(difference + 1e-12);
      expect(high).toBeGreaterThanOrEqual(difference - 1e-12);
      const mirrored = rateDifferenceInterval(b, a) ?? { low: 2, high: -2 };
      expect(mirrored.low).toBeCloseTo(-high, 12);
      expect(mirrored.high).toBeCloseTo(-low, 12);
    }),
  );
});

test("no items have no interval, and neither have constant values", () => {
  expect(rateInterval(0, 0)).toBeUndefined();
  expect(rateDifferenceInterval({ passed: 0, total: 0 }, { passed: 1, total: 2 })).toBeUndefined();
  expect(meanInterval(1, 0, 5)).toBeUndefined();
  expect(meanInterval(1, 1, 0)).toBeUndefined();
});
