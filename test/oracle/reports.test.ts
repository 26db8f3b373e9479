// Random reports over random data, compared with the reference model, which reads every row. `npm run nightly` compares
// every zone that the runtime knows.

import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { reportingConfig } from "@ems/reporting/config";
import { reportingSchema } from "@ems/reporting/schema";
import { createReporting } from "@ems/reporting/service";
import { serviceHarness, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { Comparison, modelSize, modelYears } from "./compare.ts";
import { oracleConfig } from "./config.ts";
import { computeRollups, insertModel, unboundedTables } from "./insert.ts";
import { seededRandom } from "./random.ts";
import { randomModel } from "./reference-model.ts";
import { someZones } from "./zones.ts";

const { ORACLE_SEED: seed, ORACLE_ZONES, ORACLE_REPORTS: reports } = oracleConfig;
const { database, client } = await serviceHarness({
  schema: reportingSchema,
  config: reportingConfig,
  build: createReporting,
  env: { DATABASE_POOL_MAX: "4", DEEP_SKIP_MIN: "1" },
});
const zones = someZones(seed, ORACLE_ZONES);
const models = modelYears.map((years, at) => {
  const tenant = testTenant();
  return { tenant, model: randomModel(tenant, seededRandom(seed + at), { years, ...modelSize }) };
});
beforeAll(async () => {
  await database.sql(unboundedTables);
  for (const { model } of models) await insertModel(database, model.tables);
  await database.sql(computeRollups);
});

test("every report equals the reference model's", async () => {
  console.log(`reports against the oracle: seed ${seed} (ORACLE_SEED), ${reports} for each zone (ORACLE_REPORTS)`);
  const comparison = new Comparison(client(ReportingService), models);
  await comparison.compare(zones);
  const { counts } = comparison;
  console.log(
    `${counts.reports} reports in ${zones.length} zones: ${counts.answers} answers, ${counts.intervals} intervals and ${counts.invariants} invariants compared`,
  );
  expect(counts.intervals).toBeGreaterThan(zones.length);
  expect(counts.answers + counts.invariants).toBeGreaterThan(3 * reports * zones.length);
});
