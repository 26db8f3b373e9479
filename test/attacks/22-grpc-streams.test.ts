// The gRPC port: streams by the thousand. Calls of one key at once, streams that are reset as soon as they are open.

import http2, { type ClientHttp2Session } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { collectingGarbage, memoryGrowth } from "../harness/memory-in-use.ts";
import { quietlyOnBoth } from "../harness/quiet-tenant.ts";
import { framed, openSession, rawCall } from "../harness/raw-grpc.ts";

const product = await startAttacked("one", collectingGarbage);
const { grpcUrl, adminUrl } = product.facts;
const address = new URL(grpcUrl).host;
const quiet = await product.tenant();
const noisy = await product.tenant();
const credentials = { "x-api-key": noisy.apiKey, "x-application-id": noisy.applicationId };
const listTopics = "/ems.catalog.v1.TopicService/ListTopics";
const nothing = framed(Buffer.alloc(0));

const sessions: ClientHttp2Session[] = [];
function session(): ClientHttp2Session {
  const opened = openSession(address);
  sessions.push(opened);
  return opened;
}
afterEach(async () => {
  for (const one of sessions.splice(0)) one.destroy();
  // Another tenant is served as before.
  await quietlyOnBoth(quiet, grpcUrl, 500);
  expect(product.process.exitCode).toBeNull();
});

test("10,000 calls of one key at once are answered or refused", async () => {
  const growth = await memoryGrowth(adminUrl, async () => {
    const calls = Array.from({ length: 10 }, session).flatMap((one) =>
      Array.from({ length: 1_000 }, () => rawCall(one, listTopics, credentials)),
    );
    for (const { stream } of calls) stream.end(nothing);
    const [answers] = await Promise.all([
      Promise.all(calls.map(({ answer }) => answer)),
      quietlyOnBoth(quiet, grpcUrl, 5_000),
    ]);
    for (const { status } of answers) expect([0, 8]).toContain(status);
    // What was admitted last is still at work.
    await quietlyOnBoth(quiet, grpcUrl, 3_000);
  });
  expect(growth).toBeLessThan(50);
});

test("10,000 calls that are reset as soon as they are open", async () => {
  const growth = await memoryGrowth(adminUrl, async () => {
    const running = quietlyOnBoth(quiet, grpcUrl, 5_000);
    for (let round = 0; round < 100; round++) {
      for (const one of sessions.filter(({ destroyed }) => destroyed)) sessions.splice(sessions.indexOf(one), 1);
      while (sessions.length < 10) session();
      for (const one of sessions) {
        for (let index = 0; index < 10 && !one.destroyed; index++) {
          const { stream } = rawCall(one, listTopics, credentials);
          stream.end(nothing);
          stream.close(http2.constants.NGHTTP2_CANCEL);
        }
      }
      await delay(10);
    }
    await running;
  });
  expect(growth).toBeLessThan(50);
});
