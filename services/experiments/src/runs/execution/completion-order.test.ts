// A test ends the same way for every order in which its trace, its prompt's outcome and further steps arrive.

import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testTenant } from "@ems/test-support";
import fc from "fast-check";
import { expect, test } from "vitest";
import { executions, passedOutcome } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";

const harness = await experimentsHarness({ SETTLE_STEPS_MS: "300" });
const text = (value: string) => fromJson(ValueSchema, value);
const arrivals = ["trace", "outcome", "tool", "log", "trace again", "outcome again"] as const;
type Arrival = (typeof arrivals)[number];

interface Case {
  readonly order: readonly Arrival[];
  /** Number of requests that are sent simultaneously, from the beginning of `order`; the others follow one by one. */
  readonly atOnce: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  order: fc.shuffledSubarray([...arrivals], { minLength: arrivals.length }),
  atOnce: fc.integer({ min: 1, max: arrivals.length }),
});

/** Sends all requests and returns the resulting state of the test. */
async function readEnd({ order, atOnce }: Case) {
  const of = executions(harness, testTenant());
  const { tests, runId } = await of.trigger({ definitions: 2 });
  const [testId, traceId] = [tests[0]?.id ?? "", newId()];
  const ingest = (event: object) =>
    harness.client(IngestService).ingestEvents({ events: [{ traceId, ...event }] }, of.call());
  const trace = () => {
    const steps = [
      { id: derived(traceId, 1), traceId, type: "request", content: text("What is it?") },
      { id: derived(traceId, 2), traceId, type: "response", content: text("It is 42.") },
    ];
    return ingest({ type: "trace", testId, steps });
  };
  const send: Record<Arrival, () => Promise<unknown>> = {
    trace,
    "trace again": trace,
    outcome: () => of.accept(testId),
    "outcome again": () => of.accept(testId),
    tool: () => ingest({ type: "tool", toolInput: text("6 * 7"), toolOutput: text("42") }),
    log: () => ingest({ type: "log", content: text("Done") }),
  };
  await Promise.all(order.slice(0, atOnce).map((arrival) => send[arrival]()));
  for (const arrival of order.slice(atOnce)) await send[arrival]();

  const offered = of.listEvaluations(await of.claim(1));
  const ids = offered.map(({ id }) => id);
  const judged = await harness.client(ExecutionService).getJudgeInput({ testId, evaluationIds: ids }, of.call());
  await of.record(ids.map((id) => ({ id, ...passedOutcome })));
  const ended = await of.readTest(testId);
  const stored = (await harness.client(TraceService).getTrace({ id: traceId }, of.call())).data;
  await expectExactSums(harness.database, of.tenant.applicationId);
  return {
    test: { status: ended?.status, passed: ended?.passed, score: ended?.score, evals: ended?.evals.length },
    isClosedByTrace: ended?.traceId === traceId,
    run: (await of.readRun(runId))?.status,
    events: [(await of.events("test.completed", testId)).length, (await of.events("run.completed", runId)).length],
    judged: [judged.question, judged.output, judged.evaluations.length],
    steps: stored?.steps.map(({ type }) => type).toSorted(),
  };
}

/** Derives a step id from the trace's id. */
const derived = (traceId: string, number: number) => `${traceId.slice(0, -1)}${number}`;

test("a test ends once and the same way for every order of arrival", async () => {
  const samples = fc.sample(cases, { numRuns: 12, seed: 20_261_123 });
  for (const sample of samples) {
    expect(await readEnd(sample), JSON.stringify(sample)).toEqual({
      test: { status: ResultStatus.COMPLETED, passed: true, score: 1, evals: 2 },
      isClosedByTrace: true,
      run: ResultStatus.COMPLETED,
      events: [1, 1],
      judged: ["Hello", "It is 42.", 2],
      steps: ["log", "request", "response", "tool"],
    });
  }
}, 120_000);
