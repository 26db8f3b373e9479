import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";

const harness = await experimentsHarness();
const call = testCall(harness.tenant);

test("a trace lists the evaluations of its test before those sent with it", async () => {
  const definitionId = newId();
  const evaluations = [{ definitionId, score: 0.5, passed: true }];
  const { testIds } = await harness
    .client(TestService)
    .recordResults({ tests: [{ taskId: newId(), evaluations }] }, call);
  const [testId = ""] = testIds;
  const own = { id: newId(), status: "SKIPPED", definition: { id: newId(), name: "d", type: "CUSTOM" } };
  await harness.client(IngestService).ingestEvents({ events: [{ type: "trace", testId, evals: [own] }] }, call);
  const traces = harness.client(TraceService);
  const { data } = await traces.getTraceByTest({ id: testId }, call);
  expect(data?.evals).toMatchObject([{ testId, definitionId, score: 0.5, status: "COMPLETED" }, { id: own.id }]);
  expect((await traces.listTraces({}, call)).data).toEqual([data]);
});
