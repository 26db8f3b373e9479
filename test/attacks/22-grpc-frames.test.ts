// The gRPC port: frames and messages that no library sends: endless headers, invalid frames, values nested
// without end.

import { expect, test } from "vitest";
import { startAttackedGrpc } from "../harness/attacked-grpc.ts";
import { memoryGrowth } from "../harness/memory-in-use.ts";
import { rawClients } from "../harness/raw-client.ts";
import { endHeaders, field, frame, literal, preface, frameTypes as types } from "../harness/raw-frames.ts";
import { framed, rawCall } from "../harness/raw-grpc.ts";

const { grpcUrl, adminUrl, credentials, session, neighbour } = await startAttackedGrpc();
const soon = { timeout: 60_000, interval: 250 };

test("headers that go on for 10,000 frames cost bounded memory, and end their connection", async () => {
  const clients = await rawClients(10, grpcUrl, preface.toString("latin1"));
  const part = Buffer.concat(Array(100).fill(literal("x-attack-one", "a".repeat(100))));
  const growth = await memoryGrowth(adminUrl, async () => {
    for (const { socket } of clients) {
      socket.write(frame(types.headers, 0, 1, part));
      for (let index = 0; index < 1_000; index++) socket.write(frame(types.continuation, 0, 1, part));
    }
    for (const client of clients) client.read();
    await expect.poll(() => clients.every(({ socket }) => socket.destroyed || socket.readableEnded), soon).toBe(true);
    await neighbour(2_000);
  });
  expect(growth).toBeLessThan(50);
});

test.each<[name: string, frames: Buffer]>([
  ["data of no stream", frame(types.data, 0, 0, Buffer.alloc(10))],
  ["data of a stream that was never opened", frame(types.data, 0, 7, Buffer.alloc(10))],
  ["headers that no table has", frame(types.headers, endHeaders, 1, Buffer.alloc(10, 0xff))],
  ["settings of a wrong length", frame(types.settings, 0, 0, Buffer.alloc(5))],
  ["a promise by a client", frame(types.push, endHeaders, 1, Buffer.alloc(4))],
  ["a window that does not grow", frame(types.window, 0, 0, Buffer.alloc(4))],
  ["a frame larger than agreed", frame(types.data, 0, 1, Buffer.alloc(100_000))],
  ["a continuation of nothing", frame(types.continuation, endHeaders, 1, Buffer.alloc(10))],
])("%s ends its connection", async (_, frames) => {
  const [client] = await rawClients(1, grpcUrl, preface.toString("latin1"));
  client?.read().socket.write(frames);
  await expect.poll(() => client?.socket.destroyed || client?.socket.readableEnded, soon).toBe(true);
});

test("values nested 10,000 times are refused", async () => {
  // google.protobuf.Value with a list of one such value.
  let value: Uint8Array = Buffer.from([8, 0]);
  for (let depth = 0; depth < 10_000; depth++) value = field(6, field(1, value));
  const event = Buffer.concat([field(1, Buffer.from("trace")), field(16, value)]);
  const calls = Array.from({ length: 10 }, () =>
    rawCall(session(), "/ems.experiments.v1.IngestService/IngestEvents", credentials),
  );
  for (const { stream } of calls) stream.end(framed(field(1, event)));
  for (const { answer } of calls) expect((await answer).status).toBe(3);
});
