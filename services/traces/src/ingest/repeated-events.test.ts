import { fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { type IngestEventSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const { tenant, database } = harness;
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

type Event = MessageInitShape<typeof IngestEventSchema>;
const send = async (events: Event[], by = tenant) => (await ingest.ingestEvents({ events }, testCall(by))).data;
const read = async (id: string | undefined) => {
  const { data } = await traces.getTrace({ id: id ?? "" }, testCall(tenant));
  if (data === undefined) throw new Error("no trace");
  return data;
};
const rows = async () =>
  (
    await database.sql("SELECT (SELECT count(*)::int FROM traces.trace), count(*)::int AS steps FROM traces.trace_step")
  )[0];
const any = (json: JsonValue) => fromJson(ValueSchema, json);

describe("ingestion is repeatable", () => {
  test("the trace and its steps, with or without ids, are stored once", async () => {
    const traceId = newId();
    const events: Event[] = [
      {
        type: "trace",
        traceId,
        steps: [{ type: "log" }, { type: "log" }, { type: "group", steps: [{ type: "llm" }] }],
      },
      { type: "tool", traceId, id: newId(), name: "once", input: any("first") },
    ];
    const [first, before] = [await send(events), await rows()];
    const trace = await read(traceId);
    harness.clock.advance(60_000);
    expect(await send(events)).toEqual(first);
    expect(await rows()).toEqual(before);
    expect(await read(traceId)).toEqual(trace);
  });

  test("stored steps are not changed; new ones are added", async () => {
    const [traceId, id] = [newId(), newId()];
    const step = (name: string) => ({ type: "log", id, name, costAmount: 1 });
    await send([{ type: "trace", traceId, referenceId: "a", steps: [step("a")] }]);
    await send([
      { type: "trace", traceId, referenceId: "b", steps: [step("b"), { type: "log", name: "new" }] },
      { ...step("c"), traceId },
    ]);
    const trace = await read(traceId);
    expect(trace).toMatchObject({ referenceId: "a", totalCost: 1, stepCount: 2n });
    expect(trace.steps.map(({ name }) => name)).toEqual(["a", "new"]);
  });

  test("concurrent retries store one trace, and each step once", async () => {
    const [traceId, id] = [newId(), newId()];
    const events: Event[] = [{ type: "trace", traceId, steps: [{ type: "log", id }] }, { type: "trace" }];
    await Promise.all(Array.from({ length: 8 }, () => send(events)));
    expect(await read(traceId)).toMatchObject({ stepCount: 1n, steps: [{ id }] });
  });
});

test("the same traceId of two tenants is two traces", async () => {
  const [traceId, other] = [newId(), testTenant()];
  await send([{ type: "trace", traceId, referenceId: "ours" }]);
  await send([{ type: "trace", traceId, referenceId: "theirs" }], other);
  expect(await read(traceId)).toMatchObject({ referenceId: "ours" });
  const { data } = await traces.getTrace({ id: traceId }, testCall(other));
  expect(data?.referenceId).toBe("theirs");
});
