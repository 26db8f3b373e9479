import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
const { api } = await product.tenant();

const extremes = [
  "9999-12-31T23:59:59.999999999Z",
  "9999-12-31T23:59:59.9991Z",
  "9999-12-31T23:59:59.999Z",
  "0001-01-01T00:00:00.000000001Z",
  "0001-01-01T00:00:00Z",
  "0099-02-28T23:59:59.999999Z",
  "1969-12-31T23:59:59.999999999Z",
  "9999-12-31T23:59:59.999999999-00:00",
];

/** Time as the API returns it: in milliseconds, rounded down. */
const toMilliseconds = (time: string) =>
  `${time.slice(0, 19)}.${(time.split(/[.Z+]|-00:00/)[1] ?? "").padEnd(3, "0").slice(0, 3)}Z`;

describe("the time %s is stored, as are the times next to it", () => {
  test.each(extremes)("%s", async (timestamp) => {
    const [traceId, other] = [newId(), newId()];
    const { status, body } = await api.post("/v0/ingest", {
      events: [
        { type: "trace", traceId: other },
        { type: "trace", traceId, timestamp, steps: [{ type: "log", timestamp }, { type: "log" }] },
        { type: "tool", traceId, timestamp },
      ],
    });
    expect([status, body.data?.map(({ success }: { success: boolean }) => success)]).toEqual([200, [true, true, true]]);
    const read = await api.get(`/v0/traces/${body.data[1].id}`);
    expect(read.status).toBe(200);
    expect(read.body.data.timestamp).toBe(toMilliseconds(timestamp));
    expect(read.body.data.steps.map((step: { timestamp: string }) => step.timestamp)).toEqual(
      Array(3).fill(toMilliseconds(timestamp)),
    );
    const listed = await api.get("/v0/traces?limit=100&orderBy=timestamp");
    expect(listed.body.data.map((trace: { traceId: string }) => trace.traceId)).toContain(traceId);
  });
});

describe("as a filter it is an answer or an issue, never a fault:", () => {
  test.each(
    ["/v0/traces", "/v0/tests", "/v0/runs", "/v0/webhook/deliveries", "/v0/experiments"].flatMap((path) =>
      ["startDate", "endDate"].flatMap((name) => extremes.map((time) => [path, name, time] as const)),
    ),
  )("%s ?%s=%s", async (path, name, time) => {
    const { status } = await api.get(`${path}?${name}=${encodeURIComponent(time)}`);
    expect([200, 400]).toContain(status);
  });
});

test.each([
  "0000-12-31T23:59:59Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "+010000-01-01T00:00:00Z",
  "2026-01-01T00:00:00.1000000000000000000Z",
  "-2026-01-01T00:00:00Z",
  1e15,
  -1e15,
])("%s is an error of its event that names the field", async (timestamp) => {
  const { status, body } = await api.post("/v0/ingest", { events: [{ type: "trace", timestamp }] });
  const error =
    timestamp === 1e15
      ? "timestamp: Expected milliseconds since 1970, or ISO 8601: 1000000000000000 looks like microseconds"
      : "timestamp: Invalid datetime";
  expect([status, body.data?.[0]]).toEqual([200, { success: false, id: null, error }]);
});

test.each([9007199254740991, 5e-324, 0, -0])(
  "a duration of %d is stored, in whole milliseconds",
  async (durationMs) => {
    const events = [
      {
        type: "trace",
        steps: [
          { type: "log", durationMs },
          { type: "log", durationMs },
        ],
      },
    ];
    const { status, body } = await api.post("/v0/ingest", { events });
    expect([status, body.data?.[0].success]).toEqual([200, true]);
    const read = await api.get(`/v0/traces/${body.data[0].id}`);
    expect(read.body.data.steps[0].durationMs).toBe(Math.abs(Math.round(durationMs)));
  },
);

test.each(["1e999", "-1", '"NaN"', "1e308"])("a duration of %s is an error of its event", async (durationMs) => {
  const raw = `{"events": [{"type": "trace", "steps": [{"type": "log", "durationMs": ${durationMs}}]}]}`;
  const { status, body } = await api.send("POST", "/v0/ingest", { raw });
  expect([status, body.data[0].error]).toEqual([200, expect.stringMatching(/^steps\.0\.durationMs: /)]);
});

test("results of every time are recorded or refused, never lost to a fault", async () => {
  const task = await api.post("/v0/tasks", { title: "Block a card", description: "The card was stolen." });
  expect(task.status).toBe(201);
  for (const createdAt of extremes) {
    const { status } = await api.post("/v0/tests/results", { tests: [{ taskId: task.body.id, createdAt }] });
    expect([createdAt, status]).toEqual([createdAt, 400]);
  }
  for (const since of extremes) {
    const { status } = await api.post("/v0/webhook/recover", { since });
    expect([since, [200, 400, 404, 422].includes(status)]).toEqual([since, true]);
  }
});
