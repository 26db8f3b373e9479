import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceOrder, TraceService } from "@ems/proto/experiments/v1/trace_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const call = testCall(harness.tenant);
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

const testId = newId();
const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
const listed = (list: { data: { referenceId?: string | undefined }[] }) =>
  list.data.map(({ referenceId }) => referenceId).join("");
const ids = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id);

beforeAll(async () => {
  // Stored in alphabetical order, but with times in a different order.
  for (const [referenceId, second] of [
    ["a", 3],
    ["b", 1],
    ["c", 2],
  ] as const) {
    const steps = [
      { type: "tool", parentId: undefined, timestamp: at(9), tokens: { input: 1n } },
      {
        type: "llm",
        event: "end",
        timestamp: at(1),
        tokens: { input: 2n, output: 3n },
        steps: [{ type: "log", timestamp: at(0) }],
      },
    ];
    const more = referenceId === "c" ? {} : { testId, steps };
    await ingest.ingestEvents({ events: [{ type: "trace", referenceId, timestamp: at(second), ...more }] }, call);
    harness.clock.advance(1_000);
  }
});

test("lists the newest first, 25 a page, with the totals of their steps", async () => {
  const list = await traces.listTraces({}, call);
  expect(listed(list)).toBe("cba");
  expect(list.pagination).toMatchObject({ skip: 0n, limit: 25, total: 3n, totalPages: 1n, totalCount: 3n });
  expect(list.data).toMatchObject([
    { type: "group", tokens: { input: 0n, output: 0n }, steps: [] },
    { type: "llm", event: "end", tokens: { input: 3n, output: 3n }, testId },
    { type: "llm", event: "end", tokens: { input: 3n, output: 3n }, applicationId: harness.tenant.applicationId },
  ]);
  for (const trace of list.data) expect((await traces.getTrace({ id: trace.id }, call)).data).toEqual(trace);
});

test.each([
  ["a test's", { testId }, "ba"],
  ["an unknown test's", { testId: newId() }, ""],
  ["of a name elsewhere", { referenceId: "b" }, "b"],
  ["of a name elsewhere, exactly", { referenceId: "%" }, ""],
  ["from an instant on, inclusive", { startDate: at(2) }, "ca"],
  ["until an instant, inclusive", { endDate: at(2) }, "cb"],
  ["of one instant", { startDate: at(2), endDate: at(2) }, "c"],
  ["of no time at all", { startDate: at(3), endDate: at(1) }, ""],
  ["by several filters", { testId, startDate: at(2) }, "a"],
  ["latest first", { orderBy: TraceOrder.TIMESTAMP }, "acb"],
  ["earliest first", { orderBy: TraceOrder.TIMESTAMP, orderDir: OrderDirection.ASC }, "bca"],
  ["as they were stored", { orderBy: TraceOrder.CREATED_AT, orderDir: OrderDirection.ASC }, "abc"],
])("lists traces %s", async (_, request, found) => {
  const list = await traces.listTraces(request, call);
  expect(listed(list)).toBe(found);
  expect(list.pagination?.total).toBe(BigInt(found.length));
});

test("every order is total by id, so that pages neither overlap nor skip", async () => {
  for (const orderBy of [TraceOrder.CREATED_AT, TraceOrder.TIMESTAMP, TraceOrder.ID]) {
    for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
      const whole = await traces.listTraces({ orderBy, orderDir }, call);
      const pages = await Promise.all(
        [0n, 1n, 2n, 3n].map((skip) => traces.listTraces({ orderBy, orderDir, skip, limit: 1 }, call)),
      );
      expect(pages.flatMap(ids)).toEqual(ids(whole));
    }
  }
});

test("another tenant's list is empty, and another tenant's trace is not found", async () => {
  const other = testCall(testTenant());
  expect(await traces.listTraces({}, other)).toMatchObject({ data: [], pagination: { total: 0n } });
  const { data } = await traces.listTraces({}, call);
  for (const [id, by] of [
    [data[0]?.id ?? "", other],
    [newId(), call],
  ] as const) {
    await expect(traces.getTrace({ id }, by)).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Trace not found",
    });
  }
});
