// Archived rows are unavailable, not missing, when CLICKHOUSE_URL is no longer set.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { type TestDatabase, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { getSchema } from "../../../test/archive-parts.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const { client, database, clock, tenant } = await experimentsHarness();
const { testIds } = await client(TestService).recordResults({ tests: [{ taskId: newId() }] }, testCall(tenant));
const today = clock.now();
const addBatch = (into: Pick<TestDatabase, "sql">, kind: string) =>
  into.sql(
    `INSERT INTO ${getSchema(kind)}.archive_batch (application_id, kind, starts, ends, state)
     VALUES ($1, $2, 'epoch', $3::timestamptz - interval '1 day', 'dropped')`,
    [tenant.applicationId, kind, today],
  );
for (const kind of ["results", "traces"]) await addBatch(database, kind);
const { client: later } = await experimentsHarness({}, database);
// A second installation, which archived only traces and no results.
const other = await experimentsHarness();
await addBatch(other.database, "traces");
const { client: withoutTraces } = await experimentsHarness({}, other.database);

test("without CLICKHOUSE_URL, reads of archived rows are 503, and everything else works", async () => {
  const tests = later(TestService);
  const store = "archive";
  const refused = [
    () => tests.listTests({ store }, testCall(tenant)),
    () => tests.getTest({ id: newId() }, testCall(tenant)),
    () => later(EvaluationService).listEvaluations({ store }, testCall(tenant)),
    () => later(TraceService).listTraces({ store }, testCall(tenant)),
    () => later(TraceService).getTrace({ id: newId() }, testCall(tenant)),
    () => later(EvaluationService).rerunEvaluations({ ids: [newId()] }, testCall(tenant)),
  ];
  for (const read of refused) await expect(read()).rejects.toMatchObject({ code: Code.Unavailable });
  expect((await tests.getTest({ id: testIds[0] ?? "" }, testCall(tenant))).test?.id).toBe(testIds[0]);
  expect((await tests.listTests({ startDate: timestampFromDate(today) }, testCall(tenant))).data).toHaveLength(1);
  expect((await tests.listTests({}, testCall(tenant))).pagination?.archivedBefore).toBeDefined();
  expect((await tests.listTests({}, testCall(testTenant()))).data).toEqual([]);
  expect((await later(RunService).listRuns({}, testCall(tenant))).data).toHaveLength(1);
});

test("with only traces archived, experiments does not treat them as missing either", async () => {
  const erasures = withoutTraces(ErasureService);
  const dryRun = (by: Tenant) => erasures.createErasure({ user: "u-7", dryRun: true }, testCall(by));
  await expect(dryRun(tenant)).rejects.toMatchObject({ code: Code.Unavailable });
  expect((await dryRun(testTenant())).found?.traces).toBe(0n);
});
