// Random reports over results in PostgreSQL, in ClickHouse, or in both, compared with the reference model.

import { archiveConfig } from "@ems/archive";
import { readConfig } from "@ems/kit/config";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { reportingConfig } from "@ems/reporting/config";
import { reportingSchema } from "@ems/reporting/schema";
import { createReporting } from "@ems/reporting/service";
import { serviceHarness, testClickhouse, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { Comparison, modelSize, modelYears } from "./compare.ts";
import { oracleConfig } from "./config.ts";
import { computeRollups, insertModel, unboundedTables } from "./insert.ts";
import { seededRandom } from "./random.ts";
import { randomModel } from "./reference-model.ts";
import { createArchive, emptyArchive, equalBatches, randomBatches, split } from "./splits.ts";
import { someZones } from "./zones.ts";

const { ORACLE_SEED: seed, ORACLE_ZONES, ORACLE_REPORTS: reports } = oracleConfig;
const { env } = await testClickhouse();
const config = readConfig(archiveConfig, env);
const { database, client } = await serviceHarness({
  schema: reportingSchema,
  config: reportingConfig,
  build: createReporting,
  env: { DATABASE_POOL_MAX: "4", DEEP_SKIP_MIN: "1", ...env },
});
const zones = someZones(seed, ORACLE_ZONES);
const models = modelYears.map((years, at) => {
  const tenant = testTenant();
  return { tenant, model: randomModel(tenant, seededRandom(seed + at), { years, ...modelSize }) };
});

beforeAll(async () => {
  await createArchive(config);
  await database.sql(unboundedTables);
  for (const { model } of models) await insertModel(database, model.tables);
  await database.sql(computeRollups);
});

/** Number of zones that one split serves. */
const zonesAtOnce = 5;

test.each([
  ["in the archive alone", true],
  ["on both sides", false],
])("with results %s every report equals the reference model's", async (where, isEverythingDropped) => {
  console.log(`seed ${seed} (ORACLE_SEED), ${reports} for each zone (ORACLE_REPORTS)`);
  const comparison = new Comparison(client(ReportingService), models);
  const random = seededRandom(seed + 1);
  let [splits, dropped] = [0, 0];
  for (let at = 0; at < zones.length; at += zonesAtOnce) {
    if (!isEverythingDropped || at === 0) {
      await emptyArchive(config);
      for (const each of models) {
        const batches = isEverythingDropped ? equalBatches(each.model, ["dropped"]) : randomBatches(each.model, random);
        dropped += await split({ database, config }, each, batches, random, isEverythingDropped ? 0 : 0.1);
        splits += 1;
      }
    }
    await comparison.compare(zones.slice(at, at + zonesAtOnce));
  }
  const { counts } = comparison;
  console.log(
    `${counts.reports} reports in ${zones.length} zones, results ${where}: ${counts.answers} answers of ${splits} splits compared`,
  );
  expect(dropped).toBeGreaterThan(100);
  expect(counts.answers).toBeGreaterThanOrEqual(reports * zones.length);
});
