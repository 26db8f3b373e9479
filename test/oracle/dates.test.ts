// Buckets and days in time zones, compared with Luxon. `npm run nightly` compares every zone that the runtime knows.

import { buckets, daysWhere, readDay } from "@ems/reporting/query";
import { expect, test } from "vitest";
import { oracleConfig } from "./config.ts";
import { seededRandom } from "./random.ts";
import { getMoments, someZones, units, ZoneView } from "./zones.ts";

const { ORACLE_SEED: seed, ORACLE_ZONES } = oracleConfig;
const zones = someZones(seed, ORACLE_ZONES);
console.log(`dates against Luxon: seed ${seed} (ORACLE_SEED)`);
const years = [1974, 2038] as const;

test("every moment lies in the bucket that Luxon puts it into", () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const [at, name] of zones) {
    const zone = new ZoneView(name);
    const random = seededRandom(seed + at);
    for (const moment of getMoments(zone, random, years, 8)) {
      for (const unit of units) {
        compared++;
        const [bucket] = buckets(name, unit, { from: moment, to: moment + 1 });
        const expected = zone.bucket(unit, moment);
        if (bucket?.start === expected) continue;
        wrong.push(`${name} ${unit} ${iso(moment)}: ${iso(bucket?.start)}, Luxon says ${iso(expected)}`);
      }
    }
  }
  console.log(`${compared} buckets compared in ${zones.length} zones`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(140 * zones.length);
});

test("every moment stands to a calendar date as its local date does", () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const [at, name] of zones) {
    const zone = new ZoneView(name);
    const random = seededRandom(seed + at);
    const moments = getMoments(zone, random, years, 4);
    for (const moment of moments) {
      const date = zone.date(random.pick(moments));
      const day = readDay(date) ?? Number.NaN;
      for (const side of [-1, 0, 1]) {
        compared++;
        const isIn = daysWhere(name, day, (each) => each === side).some(
          ({ from, to }) => from <= moment && moment < to,
        );
        const expected = Math.sign(zone.date(moment) < date ? -1 : zone.date(moment) > date ? 1 : 0) === side;
        if (isIn !== expected) wrong.push(`${name} ${iso(moment)} and ${date}: ${side}`);
      }
    }
  }
  console.log(`${compared} dates compared in ${zones.length} zones`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(70 * zones.length);
});

test("buckets cover a stretch of time without gap or overlap, whatever it is", () => {
  for (const [at, name] of zones) {
    const random = seededRandom(seed + at);
    const unit = random.pick(units);
    const from = Date.UTC(
      random.int(1974, 2037),
      random.int(0, 11),
      random.int(1, 28),
      0,
      0,
      0,
      random.int(0, 86_399_999),
    );
    const to = from + random.int(1, 400 * 86_400_000);
    const parts = buckets(name, unit, { from, to });
    expect([name, parts[0]?.from, parts.at(-1)?.to]).toEqual([name, from, to]);
    for (const [index, part] of parts.entries()) {
      expect(part.to, name).toBe(parts[index + 1]?.from ?? to);
      expect(part.start, name).toBeLessThanOrEqual(part.from);
    }
  }
});

function iso(at: number | undefined): string {
  return at === undefined ? "none" : new Date(at).toISOString();
}
