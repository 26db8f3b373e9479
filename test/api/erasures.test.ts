// Erasure of an end user in all services.

import { expect, test, vi } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

test("what came by ingestion and by OpenTelemetry is erased everywhere, and the log says who did it, not of whom", async () => {
  const user = "ann@example.com";
  const steps = [{ type: "request", content: "Card 4711x" }];
  await api.post("/v0/ingest", { events: [{ type: "trace", metadata: { userId: user }, steps }] });
  const attributes = [{ key: "enduser.id", value: { stringValue: user } }];
  const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", name: "n", attributes };
  const time = { startTimeUnixNano: "1767225600000000000", endTimeUnixNano: "1767225601000000000" };
  const otlp = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...time }] }] }] };
  expect((await api.post("/v0/otel/v1/traces", otlp)).status).toBe(200);
  const [trace] = (await api.get(`/v0/traces?user=${encodeURIComponent(user)}`)).body.data;
  expect(trace).toMatchObject({ user });
  const issue = { title: "Card 4711x", source: "API", traceId: trace.id };
  await api.post("/v0/issues", issue);

  const dry = await api.post("/v0/erasures", { user, dryRun: true });
  expect([dry.status, dry.body.data]).toEqual([202, null]);
  expect(dry.body.found).toMatchObject({ traces: 2, issues: 1, tasks: 0 });
  const { status, body } = await api.post("/v0/erasures", { user });
  expect([status, body.data.status]).toEqual([202, "RUNNING"]);
  const ended = await vi.waitFor(
    async () => {
      const { data } = (await api.get(`/v0/erasures/${body.data.id}`)).body;
      expect(data.status).toBe("COMPLETED");
      return data;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(ended.erased).toMatchObject({ traces: 2, issues: 1 });
  expect(JSON.stringify(ended)).not.toContain("ann@");
  expect((await api.get(`/v0/traces?user=${encodeURIComponent(user)}`)).body.data).toEqual([]);
  const log = JSON.stringify((await api.get("/v0/audit-log?limit=100")).body);
  for (const text of ["ann@", "4711x"]) expect(log).not.toContain(text);
  expect(log).toContain('"resource":"erasure"');
});

test("a user is needed", async () => {
  for (const body of [{}, { user: "" }, { user: "u".repeat(10_001) }, { user: null }]) {
    const { status, body: answer } = await api.post("/v0/erasures", body);
    expect([status, answer.issues[0].path]).toEqual([400, ["user"]]);
  }
});
