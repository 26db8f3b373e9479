// An installation with archived rows whose CLICKHOUSE_URL is gone: such rows are out of reach, and not taken for none.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const { client, database, clock, tenant } = await experimentsHarness();
const { testIds } = await client(TestService).recordResults({ tests: [{ taskId: newId() }] }, testCall(tenant));
const today = clock.now();
await database.sql(
  `INSERT INTO experiments.archive_batch (application_id, kind, starts, ends, state)
   SELECT $1, unnest('{results,traces}'::text[]), 'epoch', $2::timestamptz - interval '1 day', 'dropped'`,
  [tenant.applicationId, today],
);
const { client: later } = await experimentsHarness({}, database);

test("without CLICKHOUSE_URL what reads archived rows is 503, and everything else is answered", async () => {
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
