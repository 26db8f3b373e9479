import { describe, expect, test } from "vitest";
import { correctedRate, kappa } from "./agreement.ts";
import golden from "./golden.json" with { type: "json" };
import { rateDifferenceInterval, rateInterval } from "./intervals.ts";
import { clusteredMean } from "./means.ts";
import { smallestDetectable } from "./power.ts";
import { holm, mcnemarP } from "./tests.ts";

type Numbers = Readonly<Record<string, number | undefined>>;

/** Compares each expected value within 1e-9. */
const expectClose = (actual: Numbers | undefined, expected: Numbers) => {
  for (const [name, value] of Object.entries(expected)) {
    expect(Math.abs((actual?.[name] ?? Number.NaN) - (value ?? Number.NaN)), name).toBeLessThan(1e-9);
  }
};

describe("values equal those of statsmodels and scipy", () => {
  test.each(golden.wilson)("rate: $passed of $total", ({ passed, total, low, high }) => {
    expectClose({ ...rateInterval(passed, total) }, { low, high });
  });

  test.each(golden.newcombe)("difference of rates: $a and $b", ({ a, b, difference, low, high }) => {
    expectClose(
      { difference: a.passed / a.total - b.passed / b.total, ...rateDifferenceInterval(a, b) },
      { difference, low, high },
    );
  });

  test.each(golden.mcnemarExact)("McNemar: $onlyA against $onlyB", ({ onlyA, onlyB, p }) => {
    expectClose({ p: mcnemarP(onlyA, onlyB) }, { p });
  });

  test.each(golden.clusteredMean)("mean of clusters: $mean", ({ values, mean, ...expected }) => {
    const clusters = [...Map.groupBy(values, ({ cluster }) => cluster).values()];
    const actual = clusteredMean(
      clusters.map((items) => ({ count: items.length, sum: items.reduce((sum, { value }) => sum + value, 0) })),
    );
    const { standardError, degreesOfFreedom, p } = actual ?? {};
    expectClose(
      { mean: actual?.value, standardError, degreesOfFreedom, p, ...actual?.interval },
      { mean, ...expected },
    );
  });

  test.each(golden.holm)("Holm: $p", ({ p, adjusted }) => {
    expectClose(Object.fromEntries(holm(p).entries()), Object.fromEntries(adjusted.entries()));
  });

  test.each(golden.kappa)("kappa: $kappa", ({ kappa: value, low, high, ...confusion }) => {
    expectClose({ ...kappa(confusion) }, { value, low, high });
  });

  test.each(golden.judgeCorrected)("corrected rate: $rate", ({ judgedPassRate, total, rate, low, high, ...judge }) => {
    expectClose({ ...correctedRate(judgedPassRate, total, judge) }, { value: rate, low, high });
  });

  test.each(golden.minimumDetectable)("smallest detectable of $total", ({ standardDeviation, total, difference }) => {
    expectClose({ difference: smallestDetectable(standardDeviation / Math.sqrt(total)) }, { difference });
  });
});
