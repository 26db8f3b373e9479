// The gRPC port: gzip that inflates a thousandfold, in each protocol, in calls and in streams.

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startAttackedGrpc } from "../harness/attacked-grpc.ts";
import { memoryGrowth } from "../harness/memory-in-use.ts";
import { framed, rawCall } from "../harness/raw-grpc.ts";

const { grpcUrl, adminUrl, credentials, session, neighbour } = await startAttackedGrpc();
const otlp = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const createTopic = "/ems.catalog.v1.TopicService/CreateTopic";
const watch = "/ems.notifications.v1.EventService/Watch";
const reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

const zeros = gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 9 });
/** Within the size limit of a body, with many more values than permitted. */
const values = gzipSync(`{"title": "a", "metadata": [${"[],".repeat(500_000)}0]}`);
/** An application's limit of bodies (BODIES_PER_APPLICATION_MAX_BYTES), plus half for buffers in transit, in MiB. */
const growthMax = 72;
const compressed = (message: Uint8Array) => {
  const frame = framed(message);
  frame[0] = 1;
  return frame;
};

test.each([
  ["a call of traces", otlp, credentials],
  ["a call of a topic", createTopic, credentials],
  ["a stream of events", watch, credentials],
  ["the schema, without a key", reflection, {}],
])("gRPC: %s of 200 MB is left at the limit", async (_, path, headers) => {
  const growth = await memoryGrowth(adminUrl, async () => {
    const calls = Array.from({ length: 20 }, () => rawCall(session(), path, { ...headers, "grpc-encoding": "gzip" }));
    for (const { stream } of calls) stream.end(compressed(zeros));
    await neighbour(2_000);
    for (const { answer } of calls) expect((await answer).status).toBeGreaterThan(0);
  });
  expect(growth).toBeLessThan(growthMax);
});

test.each<[name: string, path: string, headers: Record<string, string>, body: Uint8Array]>([
  ["Connect's JSON", createTopic, { "content-type": "application/json", "content-encoding": "gzip" }, zeros],
  ["Connect's JSON of values", createTopic, { "content-type": "application/json", "content-encoding": "gzip" }, values],
  ["Connect's protobuf", createTopic, { "content-type": "application/proto", "content-encoding": "gzip" }, zeros],
  [
    "Connect's stream",
    watch,
    { "content-type": "application/connect+json", "connect-content-encoding": "gzip" },
    compressed(zeros),
  ],
  ["gRPC-Web", otlp, { "content-type": "application/grpc-web+proto", "grpc-encoding": "gzip" }, compressed(zeros)],
])("%s over HTTP/1.1 is left at the limit", async (_, path, headers, body) => {
  const growth = await memoryGrowth(adminUrl, async () => {
    const answers = Array.from({ length: 20 }, async () => {
      const answer = await fetch(`${grpcUrl}${path}`, {
        method: "POST",
        headers: { ...credentials, ...headers },
        body,
      });
      const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
      return { status: answer.status, text };
    });
    await neighbour(2_000);
    for (const { status, text } of await Promise.all(answers)) {
      // The error of gRPC-Web and of streams is in the body, that of other calls in the status.
      if (status === 200) expect(text).toMatch(/grpc-status: ?[1-9]|"error":\{/);
      expect(status).toBeLessThan(500);
    }
  });
  expect(growth).toBeLessThan(growthMax);
});
