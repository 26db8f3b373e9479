// The gRPC port: thousands of streams. Concurrent calls with one key, and streams that are reset right after opening.

import { constants } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startAttackedGrpc } from "../harness/attacked-grpc.ts";
import { memoryGrowth } from "../harness/memory-in-use.ts";
import { framed, rawCall } from "../harness/raw-grpc.ts";

const { adminUrl, credentials, session, sessions, neighbour } = await startAttackedGrpc();
const listTopics = "/ems.catalog.v1.TopicService/ListTopics";
const nothing = framed(Buffer.alloc(0));

test("10,000 calls of one key at once are answered or refused", async () => {
  const growth = await memoryGrowth(adminUrl, async () => {
    const calls = Array.from({ length: 10 }, () => session()).flatMap((each) =>
      Array.from({ length: 1_000 }, () => rawCall(each, listTopics, credentials)),
    );
    for (const { stream } of calls) stream.end(nothing);
    const [answers] = await Promise.all([Promise.all(calls.map(({ answer }) => answer)), neighbour(5_000)]);
    for (const { status } of answers) expect([0, 8]).toContain(status);
    // The last admitted calls are still in progress.
    await neighbour(3_000);
  });
  expect(growth).toBeLessThan(50);
});

test("10,000 calls that are reset as soon as they are open", async () => {
  const growth = await memoryGrowth(adminUrl, async () => {
    const running = neighbour(5_000);
    for (let round = 0; round < 100; round++) {
      for (const each of sessions.filter(({ destroyed }) => destroyed)) sessions.splice(sessions.indexOf(each), 1);
      while (sessions.length < 10) session();
      for (const each of sessions) {
        for (let index = 0; index < 10 && !each.destroyed; index++) {
          const { stream } = rawCall(each, listTopics, credentials);
          stream.end(nothing);
          stream.close(constants.NGHTTP2_CANCEL);
        }
      }
      await delay(10);
    }
    await running;
  });
  expect(growth).toBeLessThan(50);
});
