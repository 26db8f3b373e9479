// Large exports, clients that disconnect, and exports that are retried after a refusal, all with the default limits.

import http2 from "node:http2";
import { connect } from "node:net";
import { context, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { startAttacked } from "../../harness/attacked-product.ts";
import { quietly } from "../../harness/quiet-tenant.ts";
import { framed, rawCall } from "../../harness/raw-grpc.ts";
import { createExporter, type Transport, tracerTo, Watched } from "../harness/exporters.ts";

const product = await startAttacked("mesh");
const quiet = await product.tenant();

async function createSender(transport: Transport, batch: number) {
  const tenant = await product.tenant();
  const destination = { ...product.facts, apiKey: tenant.apiKey, applicationId: tenant.applicationId };
  const exporter = new Watched(createExporter(transport, "gzip", destination));
  return { tenant, exporter, ...tracerTo(exporter, batch) };
}

test.each<Transport>(["http/json", "http/protobuf", "grpc"])(
  "10,000 spans in one export over %s are one trace",
  async (transport) => {
    const { tenant, exporter, provider, tracer } = await createSender(transport, 10_000);
    const root = tracer.startSpan("agent");
    const within = trace.setSpan(context.active(), root);
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search" };
    for (let index = 1; index < 10_000; index++) tracer.startSpan(`step ${index}`, { attributes }, within).end();
    root.end();
    await expect.poll(() => exporter.outcomes).toEqual([{ spans: 10_000, error: undefined }]);
    await provider.shutdown();
    const { data } = (await tenant.api.get(`/v0/traces?referenceId=${root.spanContext().traceId}`)).body;
    expect(data).toMatchObject([{ stepCount: 10_000 }]);
  },
);

test("an export over the rate limit is repeated by the exporter until it is taken", async () => {
  const { tenant, exporter, provider, tracer } = await createSender("http/protobuf", 512);
  let isLimited = false;
  while (!isLimited) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => tenant.api.get("/v0/topics")));
    isLimited = answers.some(({ status }) => status === 429);
  }
  const span = tracer.startSpan("late");
  span.end();
  await provider.forceFlush();
  expect(exporter.outcomes).toEqual([{ spans: 1, error: undefined }]);
  await provider.shutdown();
});

test("clients that go away in the middle of a message cost nothing and leave nothing", async () => {
  const { apiKey, applicationId, api } = await product.tenant();
  const credentials = { "x-api-key": apiKey, "x-application-id": applicationId };
  const session = http2.connect(product.facts.grpcUrl);
  session.on("error", () => undefined);
  const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  for (let index = 0; index < 20; index++)
    rawCall(session, path, credentials).stream.write(framed(Buffer.alloc(1_000), 2_000));
  const { hostname, port } = new URL(product.facts.baseUrl);
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname).on("error", () => undefined));
  const head = Object.entries({ host: "a", ...credentials, "content-type": "application/x-protobuf" });
  for (const socket of sockets) {
    socket.write(`POST /v1/traces HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}`);
    socket.write("transfer-encoding: chunked\r\n\r\n400\r\n0000");
  }
  await quietly(quiet, 1_000);
  session.destroy();
  for (const socket of sockets) socket.destroy();
  await quietly(quiet, 1_000);
  expect((await api.get("/v0/traces")).body.pagination.total).toBe(0);
});
