// Buckets and days of every zone the runtime knows, against Luxon.

import { daysWhere, readDay, tiles } from "@ems/reporting/query/dates";
import { expect, test } from "vitest";
import { oracleConfig } from "./config.ts";
import { chanceOf } from "./random.ts";
import { allZones, momentsOf, units, ZoneView } from "./zones.ts";

const { ORACLE_SEED: seed } = oracleConfig;
console.log(`dates against Luxon: seed ${seed} (ORACLE_SEED)`);
const years = [1974, 2038] as const;

test("every moment lies in the bucket that Luxon puts it into, in every zone", () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const [at, name] of allZones.entries()) {
    const zone = new ZoneView(name);
    const chance = chanceOf(seed + at);
    for (const moment of momentsOf(zone, chance, years, 8)) {
      for (const unit of units) {
        compared++;
        const [tile] = tiles(name, unit, { from: moment, to: moment + 1 });
        const expected = zone.bucket(unit, moment);
        if (tile?.bucket === expected) continue;
        wrong.push(`${name} ${unit} ${iso(moment)}: ${iso(tile?.bucket)}, Luxon says ${iso(expected)}`);
      }
    }
  }
  console.log(`${compared} buckets compared in ${allZones.length} zones`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(60_000);
});

test("every moment stands to a calendar date as its local date does, in every zone", () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const [at, name] of allZones.entries()) {
    const zone = new ZoneView(name);
    const chance = chanceOf(seed + at);
    const moments = momentsOf(zone, chance, years, 4);
    for (const moment of moments) {
      const date = zone.date(chance.pick(moments));
      const day = readDay(date) ?? Number.NaN;
      for (const side of [-1, 0, 1]) {
        compared++;
        const isIn = daysWhere(name, day, (one) => one === side).some(({ from, to }) => from <= moment && moment < to);
        const expected = Math.sign(zone.date(moment) < date ? -1 : zone.date(moment) > date ? 1 : 0) === side;
        if (isIn !== expected) wrong.push(`${name} ${iso(moment)} and ${date}: ${side}`);
      }
    }
  }
  console.log(`${compared} dates compared in ${allZones.length} zones`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(30_000);
});

test("buckets cover a stretch of time without gap or overlap, whatever it is", () => {
  for (const [at, name] of allZones.entries()) {
    const chance = chanceOf(seed + at);
    const unit = chance.pick(units);
    const from = Date.UTC(
      chance.int(1974, 2037),
      chance.int(0, 11),
      chance.int(1, 28),
      0,
      0,
      0,
      chance.int(0, 86_399_999),
    );
    const to = from + chance.int(1, 400 * 86_400_000);
    const made = tiles(name, unit, { from, to });
    expect([name, made[0]?.from, made.at(-1)?.to]).toEqual([name, from, to]);
    for (const [index, tile] of made.entries()) {
      expect(tile.to, name).toBe(made[index + 1]?.from ?? to);
      expect(tile.bucket, name).toBeLessThanOrEqual(tile.from);
    }
  }
});

function iso(at: number | undefined): string {
  return at === undefined ? "none" : new Date(at).toISOString();
}
