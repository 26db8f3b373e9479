import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { currentTraceId, currentTraceparent, startSpan, startTracing } from "./trace.ts";

const bodies: Buffer[] = [];
const collector = createServer((request, response) => {
  request.on("data", (chunk: Buffer) => bodies.push(chunk)).on("end", () => response.end());
}).listen(0, "127.0.0.1");
await once(collector, "listening");
afterAll(() => void collector.close());

const traceId = "0af7651916cd43dd8448eb211c80319c";
const getParent = (flags: string) => `00-${traceId}-b7ad6b7169203331-${flags}`;
const begin = (parent?: string) => startSpan("work", { role: "server", parent });

test("nothing is traced without an endpoint", async () => {
  const stop = await startTracing("test", { OTEL_TRACES_SAMPLER_ARG: 1 });
  const span = begin(getParent("01"));
  expect(span.traceparent).toBeUndefined();
  expect(span.run(() => [currentTraceparent(), currentTraceId()])).toEqual([undefined, undefined]);
  await stop();
});

test("a span joins its parent's trace, and is active while its work runs", async () => {
  const { port } = collector.address() as AddressInfo;
  const stop = await startTracing("test", {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_TRACES_SAMPLER_ARG: 1,
  });
  const span = begin(getParent("01"));
  expect(span.traceparent).toMatch(new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
  expect(await span.run(async () => currentTraceparent())).toBe(span.traceparent);
  expect(span.run(() => currentTraceId())).toBe(traceId);
  expect(currentTraceId()).toBeUndefined();
  // An unsampled trace is not exported, but its context is passed on.
  const unseen = begin(getParent("00"));
  expect(unseen.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  for (const parent of ["", "nonsense", getParent("1"), `00-${"0".repeat(32)}-b7ad6b7169203331-01`]) {
    expect(begin(parent).traceparent).not.toContain(traceId);
  }
  unseen.end();
  span.end({ "rpc.response.status_code": "OK" });
  await stop();
  expect(Buffer.concat(bodies).includes(Buffer.from(traceId, "hex"))).toBe(true);
});
