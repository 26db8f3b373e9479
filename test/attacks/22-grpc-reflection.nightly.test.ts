// The gRPC port: the schema, which needs no key, requested in a loop.

import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startAttackedGrpc } from "../harness/attacked-grpc.ts";
import { memoryGrowth } from "../harness/memory-in-use.ts";
import { field } from "../harness/raw-frames.ts";
import { framed, rawCall } from "../harness/raw-grpc.ts";

const { adminUrl, session, neighbour } = await startAttackedGrpc();
const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const askSchema = framed(field(4, Buffer.from("ems.catalog.v1.TopicService")));
const [burst, perSecond] = [400, 20];

test("an address that calls in a loop is limited over all its streams, with a retry delay", async () => {
  const startedMs = performance.now();
  const growth = await memoryGrowth(adminUrl, async () => {
    let answered = 0;
    const refused = new Set<number | undefined>();
    let isOver = false;
    const loop = async () => {
      const connection = session();
      while (!isOver) {
        const { stream, answer } = rawCall(connection, path);
        const pump = () => {
          while (!stream.destroyed && stream.write(askSchema));
        };
        stream.on("drain", pump);
        pump();
        const ended = await answer;
        // Frames of the answers before the stream ended.
        answered += countFrames(ended.body);
        refused.add(ended.status);
        if (ended.status === 8) expect(Number(ended.trailers["grpc-retry-pushback-ms"])).toBeGreaterThan(0);
        await delay(20);
      }
    };
    const loops = Array.from({ length: 10 }, loop);
    await neighbour(5_000);
    isOver = true;
    await Promise.all(loops);
    const seconds = (performance.now() - startedMs) / 1_000;
    expect(refused).toContain(8);
    expect(answered).toBeGreaterThan(50);
    expect(answered).toBeLessThan(burst + perSecond * (seconds + 1));
  });
  expect(growth).toBeLessThan(60);
});

/** `body` is without its first prefix. */
function countFrames(body: Buffer): number {
  const all = Buffer.concat([Buffer.alloc(5), body]);
  let count = 0;
  // The first message's length is unknown without its prefix; the schema is the same each time.
  for (let at = all.indexOf(askSchema.subarray(5)); at >= 0; at = all.indexOf(askSchema.subarray(5), at + 1)) count++;
  return count;
}
