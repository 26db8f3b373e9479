import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";

const harness = await experimentsHarness();
const call = testCall(harness.tenant);
const traces = harness.client(TraceService);
const [both, own, none] = [newId(), newId(), newId()];
const scored = (score: number) => ({
  id: newId(),
  score,
  status: "COMPLETED",
  definition: { id: newId(), name: "d", type: score > 1 ? "STYLE" : "CUSTOM" },
});

beforeAll(async () => {
  const evaluations = [
    { definitionId: newId(), score: 0.25, passed: false },
    { definitionId: newId(), score: 0.5 },
  ];
  const recorded = await harness.client(TestService).recordResults({ tests: [{ taskId: newId(), evaluations }] }, call);
  const events = [
    { type: "trace", traceId: both, testId: recorded.testIds[0] ?? "", evals: [scored(0.9)] },
    { type: "trace", traceId: own, evals: [scored(4)] },
    { type: "trace", traceId: none, testId: newId() },
  ];
  const { data } = await harness.client(IngestService).ingestEvents({ events }, call);
  expect(data.every(({ success }) => success)).toBe(true);
});

test.each([
  [{ minScore: 0.9 }, [both, own]],
  [{ minScore: 0.2, maxScore: 0.3 }, [both]],
  [{ minScore: 0.6, maxScore: 0.8 }, []],
  [{ minScore: 1 }, [own]],
  [{ maxScore: 0.4 }, [both]],
  [{ minScore: -1, maxScore: 10 }, [both, own]],
])("a score filter of %j matches any evaluation of the trace or its test, within both bounds", async (filter, ids) => {
  const { data } = await traces.listTraces(filter, call);
  expect(data.map(({ id }) => id).sort()).toEqual([...ids].sort());
});

test("another tenant's scores find nothing", async () => {
  expect((await traces.listTraces({ minScore: -1 }, testCall(testTenant()))).data).toEqual([]);
});
