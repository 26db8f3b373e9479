// The path of an event through the mesh: a change over the API, its outbox, NATS, a signed delivery over TLS. Operators
// see one trace, log lines with its id, metrics of every process, and which processes work without NATS.

import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { loopbackHost } from "@ems/test-support/loopback";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queries } from "../harness/dashboards.ts";
import { type EventReceiver, startEventReceiver, well } from "../harness/event-receiver.ts";
import { getMetrics, type Sample, scrape } from "../harness/exposition.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { startProduct } from "../harness/product.ts";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "../harness/trace-receiver.ts";
import { newWriter } from "../harness/writer.ts";

let receiver: EventReceiver;
let traces: TraceReceiver;
let mesh: FaultMesh;
beforeAll(async () => {
  [receiver, traces] = await Promise.all([startEventReceiver(), startTraceReceiver()]);
  mesh = await startFaultMesh({ ...receiver.env, OTEL_EXPORTER_OTLP_ENDPOINT: traces.url });
});
afterAll(async () => {
  await mesh.close();
  await traces.close();
  await receiver.close();
});

const arrived = (applicationId: string, type: string) => expect.poll(() => receiver.getIds(applicationId, type).size);
const getRequest = (id: string | undefined) => receiver.accepted().find((request) => request.id === id);

test("a new topic is sent to the webhook, signed per Standard Webhooks, and logged", async () => {
  const { applicationId, webhookSecret, send } = await newWriter(mesh, receiver.url);
  const answer = await send("POST", "/v0/topics", { title: "Told" });
  const { data: topic } = (await answer.json()) as { data: { id: string } };
  await arrived(applicationId, "topic.created").toBe(1);

  const [id = ""] = receiver.getIds(applicationId, "topic.created");
  const request = getRequest(id);
  const headers = request?.headers as Record<string, string>;
  const event = new Webhook(webhookSecret).verify(request?.body ?? "", headers);
  expect(event).toMatchObject({ id, type: "topic.created", applicationId, data: topic });

  const read = async () => (await send("GET", `/v0/webhook/deliveries/${id}`)).json();
  await expect.poll(read).toMatchObject({
    data: { id, type: "topic.created", status: "DELIVERED", attemptCount: 1, lastStatusCode: 200 },
    event,
    attempts: [{ number: 1, outcome: "DELIVERED", statusCode: 200, remoteAddress: loopbackHost }],
  });
  const validation = { signature: headers["webhook-signature"], timestamp: headers["webhook-timestamp"], body: event };
  expect(await (await send("POST", "/v0/validate-webhook", validation)).json()).toEqual({ valid: true });
});

test("after a rotation a delivery verifies with the old secret and with the new one", async () => {
  const { applicationId, webhookSecret, send } = await newWriter(mesh, receiver.url);
  const rotated = (await (await send("POST", "/v0/webhook/rotate-secret", {})).json()) as {
    data: { webhookSecret: string };
  };
  await send("POST", "/v0/topics", { title: "Told twice over" });
  await arrived(applicationId, "topic.created").toBe(1);
  const [id] = receiver.getIds(applicationId, "topic.created");
  const { body = "", headers } = getRequest(id) ?? {};
  for (const secret of [webhookSecret, rotated.data.webhookSecret]) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ id });
  }
});

test("a test of the webhook returns its outcome at once", async () => {
  const { send } = await newWriter(mesh, receiver.url);
  const testWebhook = async () => (await send("POST", "/v0/webhook/test", {})).json();
  expect(await testWebhook()).toEqual({ success: true, statusCode: 200, error: null });
  receiver.behave({ kind: "answer", status: 500 });
  expect(await testWebhook()).toMatchObject({ success: false, statusCode: 500, error: expect.any(String) });
  receiver.behave(well);
});

const traceId = "0af7651916cd43dd8448eb211c80319c";
const caller = "b7ad6b7169203331";

test("a change is one trace, from the request over call, outbox and NATS to the webhook", async () => {
  const { applicationId, apiKey, send } = await newWriter(mesh, receiver.url);
  const answer = await send("POST", "/v0/topics", { title: "Seen" }, { traceparent: `00-${traceId}-${caller}-01` });
  const { data: topic } = (await answer.json()) as { data: { id: string } };
  const seen = () => traces.spans.filter((span) => span.traceId === traceId);
  const attempt = () => seen().find(({ name }) => name === "webhook topic.created");
  await expect
    .poll(() => wayTo(attempt(), seen()))
    .toEqual([
      `gateway: POST /v0/topics, of ${caller}`,
      "gateway: ems.catalog.v1.TopicService/CreateTopic",
      "catalog: ems.catalog.v1.TopicService/CreateTopic",
      "catalog: send topic.created",
      "notifications: process topic.created",
      "notifications: webhook topic.created",
    ]);
  expect(attempt()?.facts).toMatchObject({ "ems.webhook.outcome": "delivered", "http.response.status_code": 200 });
  // Traces contain operations and durations, but never the tenant.
  const reported = JSON.stringify(traces.spans);
  for (const secret of [apiKey, applicationId, topic.id, "Seen", new URL(receiver.url).host]) {
    expect(reported).not.toContain(secret);
  }
});

/** Lists the spans from the beginning of the trace to `last`; `of` names a parent that is missing. */
function wayTo(last: ReceivedSpan | undefined, spans: readonly ReceivedSpan[]): string[] {
  if (last === undefined) return [];
  const { service, name, parentSpanId } = last;
  const parent = spans.find(({ spanId }) => spanId === parentSpanId);
  return [...wayTo(parent, spans), `${service}: ${name}${parent === undefined ? `, of ${parentSpanId}` : ""}`];
}

test("in one process too, where calls are function calls and events go from hand to hand", async () => {
  const product = await startProduct("one", {
    env: { ...receiver.env, OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, LOG_LEVEL: "info" },
  });
  try {
    const { baseUrl, applicationId, apiKey = "" } = product.facts;
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
    const post = (path: string, json: object) =>
      fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(json) });
    expect((await post("/v0/webhook", { url: receiver.url })).status).toBe(200);
    expect((await post("/v0/topics", { title: "Seen" })).status).toBe(201);
    const seen = () => traces.spans.filter(({ service }) => service === "ems");
    const attempt = () => seen().find(({ name }) => name === "webhook topic.created");
    await expect
      .poll(() => wayTo(attempt(), seen()))
      .toEqual([
        "ems: POST /v0/topics, of ",
        "ems: ems.catalog.v1.TopicService/CreateTopic",
        "ems: ems.catalog.v1.TopicService/CreateTopic",
        "ems: send topic.created",
        "ems: process topic.created",
        "ems: webhook topic.created",
      ]);
    expect((await scrape(product.facts.adminUrl)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["http_server_request_duration_seconds_count", "rpc_server_call_duration_seconds_count"]),
    );
  } finally {
    await product.remove();
  }
});

test("log lines of a request have its trace id", async () => {
  const lines = () =>
    mesh
      .output()
      .split("\n")
      .filter((line) => line.includes(traceId))
      .map((line) => JSON.parse(line) as { name: string; msg: string });
  await expect
    .poll(() => lines().map(({ name, msg }) => `${name}: ${msg}`))
    .toEqual(expect.arrayContaining(["gateway: request", "catalog: rpc"]));
});

test("every metric of a dashboard or an alert is exported by a process, and none has a client's text in its name", async () => {
  const { applicationId, apiKey, send } = await newWriter(mesh, receiver.url);
  const { data: topic } = (await (await send("POST", "/v0/topics", { title: "Counted" })).json()) as {
    data: { id: string };
  };
  await expect.poll(() => receiver.getIds(applicationId, "topic.created").size).toBe(1);
  const report = { datasource: "topic", timezone: "UTC" };
  const answers = [
    await send("GET", `/v0/topics/${topic.id}`),
    await send("GET", `/v0/topics/${topic.id}/nowhere?x=${apiKey}`),
    await send("GET", "/v0/topics", undefined, { "x-api-key": `${apiKey}x` }),
    await send("POST", "/v0/feedback", { feedback: "well" }),
    await send("POST", "/v0/reporting/query", report),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 200, 200]);

  const queried = (await queries()).flatMap(getMetrics);
  expect(queried.length).toBeGreaterThan(40);
  let samples: Sample[] = [];
  const count = (name: string, labels: Record<string, string>) =>
    samples.find(
      (each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
    )?.value;
  const look = async () => {
    samples = (await Promise.all(processNames.map((name) => scrape(mesh.adminUrl(name))))).flat();
    const reported = new Set(samples.map(({ name }) => name));
    return {
      // Prometheus itself reports `up`; this mesh has no archive.
      missing: queried.filter((name) => !/^(up$|ems_archive_)/.test(name) && !reported.has(name)),
      isDelivered: (count("ems_webhook_attempts_total", { outcome: "delivered" }) ?? 0) > 0,
      waiting: count("ems_queue_depth", { queue: "catalog.outbox" }),
    };
  };
  // Metrics of the received event follow a moment later.
  await expect.poll(look).toEqual({ missing: [], isDelivered: true, waiting: 0 });

  const values = new Set(samples.flatMap(({ labels }) => Object.values(labels)));
  const id = /[0-9a-f]{8}-[0-9a-f]{4}-|ems_[0-9A-Za-z]{20}|https?:|@/;
  expect([...values].filter((value) => id.test(value) || value.includes(applicationId))).toEqual([]);
  const route = { http_request_method: "GET", http_route: "/v0/topics/:id", http_response_status_code: "200" };
  // A retried test adds to these counts.
  expect(count("http_server_request_duration_seconds_count", route)).toBeGreaterThan(0);
  expect(count("ems_auth_requests_total", { result: "unknown" })).toBeGreaterThan(0);
  expect(count("ems_email_total", { outcome: "no_relay" })).toBeGreaterThan(0);
  expect(count("ems_reporting_query_duration_seconds_count", { datasource: "topic" })).toBeGreaterThan(0);
});

test("a request is one call of a service; its key is looked up separately, once in a few seconds", async () => {
  const { send } = await newWriter(mesh, receiver.url);
  const { data: topic } = (await (await send("POST", "/v0/topics", { title: "Read" })).json()) as {
    data: { id: string };
  };
  const requests: [string, string, object | undefined, string[]][] = [
    ["GET", `/v0/topics/${topic.id}`, undefined, ["TopicService/GetTopic"]],
    ["GET", "/v0/topics", undefined, ["TopicService/ListTopics"]],
    ["POST", "/v0/topics", { title: "Written" }, ["TopicService/CreateTopic"]],
    ["GET", "/v0/tasks", undefined, ["TaskService/ListTasks"]],
    ["GET", "/v0/documents", undefined, ["DocumentService/ListDocuments"]],
    ["GET", "/v0/traces", undefined, ["TraceService/ListTraces"]],
    ["GET", "/v0/tests", undefined, ["TestService/ListTests"]],
    ["POST", "/v0/ingest", { events: [{ type: "trace" }] }, ["IngestService/IngestEvents"]],
    ["POST", "/v0/reporting/query", { datasource: "topic", timezone: "UTC" }, ["ReportingService/QueryReport"]],
  ];
  for (const [index, [method, path, json, expected]] of requests.entries()) {
    const id = index.toString(16).padStart(32, "a");
    const { status } = await send(method, path, json, { traceparent: `00-${id}-${caller}-01` });
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    const answered = () => traces.spans.some(({ traceId, parentSpanId }) => traceId === id && parentSpanId === caller);
    await expect.poll(answered).toBe(true);
    const ofGateway = traces.spans.filter(({ traceId, service }) => traceId === id && service === "gateway");
    const calls = ofGateway.map(({ name }) => name.replace(/^ems\.\w+\.v1\./, ""));
    expect(calls.filter((name) => /Service\/(?!Authenticate)/.test(name))).toEqual(expected);
  }
});

test("without NATS the processes go on and say so", async () => {
  const readiness = async (name: ProcessName) => {
    const answer = await fetch(`${mesh.adminUrl(name)}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };
  const degraded = async (name: ProcessName) =>
    (await scrape(mesh.adminUrl(name))).find((sample) => sample.name === "ems_degraded")?.value;
  await mesh.killNats();
  const parts = { status: 200, body: { status: "degraded", degraded: ["nats"] } };
  for (const name of ["gateway", "catalog", "notifications"] as const) {
    await expect.poll(() => readiness(name)).toEqual(parts);
    expect(await degraded(name)).toBe(1);
  }
  await mesh.restartNats();
  for (const name of ["gateway", "catalog", "notifications"] as const) {
    await expect.poll(() => readiness(name)).toEqual({ status: 200, body: { status: "ok" } });
    expect(await degraded(name)).toBe(0);
  }
});
