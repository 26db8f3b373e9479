// Random reports over random data, in every zone the runtime knows, against a plain program that looks at every row.

import { fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { QueryReportResponseSchema, ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { reportingConfig } from "@ems/reporting/config";
import { reportingSchema } from "@ems/reporting/schema";
import { createReporting } from "@ems/reporting/service";
import { serviceHarness, testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { answer, type Result } from "./answer.ts";
import { oracleConfig } from "./config.ts";
import { anyTime, insertWorld, makeSums } from "./insert.ts";
import { type Query, randomQuery } from "./query.ts";
import { chanceOf } from "./random.ts";
import { makeWorld } from "./reference-model.ts";
import { allZones, ZoneView } from "./zones.ts";

const { ORACLE_SEED: seed, ORACLE_REPORTS: reports } = oracleConfig;
const { database, client } = await serviceHarness({
  schema: reportingSchema,
  config: reportingConfig,
  build: createReporting,
  env: { DATABASE_POOL_MAX: "4", DEEP_SKIP_MIN: "1" },
});
const reporting = client(ReportingService);

const size = { topics: 12, tasks: 60, tags: 8, tests: 240, evaluations: 480 };
/** One of these days, and one in which days were skipped and clocks set back past midnight. */
const worlds = [[2020, 2027] as const, [2006, 2014] as const].map((years, at) => {
  const tenant = testTenant();
  return { tenant, world: makeWorld(tenant, chanceOf(seed + at), { years, ...size }) };
});
beforeAll(async () => {
  await database.sql(anyTime);
  for (const { world } of worlds) await insertWorld(database, world);
  await database.sql(makeSums);
});

const told = { answers: 0, invariants: 0, reports: 0 };

test("every report is what going through all rows gives", async () => {
  console.log(`reports against the oracle: seed ${seed} (ORACLE_SEED), ${reports} for each zone (ORACLE_REPORTS)`);
  const left = [...allZones.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await compareZone(...next);
  };
  await Promise.all([work(), work(), work(), work()]);
  console.log(
    `${told.reports} reports in ${allZones.length} zones: ${told.answers} answers and ${told.invariants} invariants compared`,
  );
  expect(told.answers + told.invariants).toBeGreaterThan(3 * reports * allZones.length);
}, 900_000);

async function compareZone(at: number, name: string): Promise<void> {
  const chance = chanceOf(seed + 7_919 * (at + 1));
  const zone = new ZoneView(name);
  for (let report = 0; report < reports; report++) {
    const { tenant, world } = chance.pick(worlds);
    const query = randomQuery(world, zone, chance);
    const expected = answer(world, query, zone);
    const limit = Math.max(chance.pick([1, 3, 25, 100, 100]), Math.ceil(expected.length / 6));
    const where = `seed ${seed}, ${name}, report ${report}: ${JSON.stringify({ ...query, limit })}`;
    const ask = async (asked: Query, skip: number, most: number) => {
      const filters = asked.filters.map((filter) => ({ ...filter, value: filter.value.map(value) }));
      const lists = { groupBy: [...asked.groupBy], measurements: [...asked.measurements], orderBy: [...asked.orderBy] };
      const request = { ...asked, ...lists, filters, skip: BigInt(skip), limit: Math.min(most, 100) };
      return reporting.queryReport(request, testCall(tenant)).catch((error: Error) => {
        throw new Error(`${where}\n${error.message}`, { cause: error });
      });
    };

    told.reports++;
    const results: Result[] = [];
    for (let skip = 0; skip === 0 || skip < expected.length; skip += Math.min(limit, 100)) {
      const page = await ask(query, skip, limit);
      results.push(...((page.data?.results ?? []) as Result[]));
      told.answers++;
      expect(Number(page.pagination?.total), where).toBe(expected.length);
      if (skip > 0) continue;
      const again = await ask(query, skip, limit);
      told.invariants++;
      expect(Buffer.compare(bytes(again), bytes(page)), where).toBe(0);
    }
    // Order and all: what the pages have together is every result once.
    if (JSON.stringify(results) !== JSON.stringify(expected)) expect(results, where).toEqual(expected);

    if (query.groupBy.length === 0) continue;
    const counted = results.reduce((sum, { count }) => sum + Number(count ?? 0), 0);
    if (results[0] === undefined || !("count" in results[0])) continue;
    const { pagination } = await ask({ ...query, groupBy: [], measurements: [], orderBy: [] }, 0, 1);
    told.invariants++;
    expect(counted, where).toBe(Number(pagination?.total));
  }
}

function value(json: JsonValue) {
  return fromJson(ValueSchema, json);
}

function bytes(response: Parameters<typeof toBinary<typeof QueryReportResponseSchema>>[1]): Uint8Array {
  return toBinary(QueryReportResponseSchema, response);
}
