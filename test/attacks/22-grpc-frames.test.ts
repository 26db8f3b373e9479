// The gRPC port: frames and messages that no library makes. Headers without end, frames that break the protocol, values nested
// without end.

import type { ClientHttp2Session } from "node:http2";
import { afterEach, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { collectingGarbage, memoryGrowth } from "../harness/memory-in-use.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import { rawClients } from "../harness/raw-client.ts";
import { framed, openSession, rawCall } from "../harness/raw-grpc.ts";

const product = await startAttacked("one", collectingGarbage);
const { grpcUrl, adminUrl } = product.facts;
const address = new URL(grpcUrl).host;
const quiet = await product.tenant();
const noisy = await product.tenant();
const credentials = { "x-api-key": noisy.apiKey, "x-application-id": noisy.applicationId };
const soon = { timeout: 60_000, interval: 250 };

const sessions: ClientHttp2Session[] = [];
function session(): ClientHttp2Session {
  const opened = openSession(address);
  sessions.push(opened);
  return opened;
}
afterEach(async () => {
  for (const one of sessions.splice(0)) one.destroy();
  // Another tenant is served as before.
  await quietly(quiet, 500);
  expect(product.process.exitCode).toBeNull();
});

const [dataType, headersType, settingsType, pushType, windowType, continuationType] = [0, 1, 4, 5, 8, 9];

function frame(type: number, flags: number, stream: number, payload: Uint8Array, length = payload.length): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const preface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(settingsType, 0, 0, Buffer.alloc(0)),
]);

/** Fields of headers, as literals that are not indexed, with names of 12 characters and values of 100. */
function literals(count: number): Buffer {
  const one = Buffer.concat([
    Buffer.from([0, 12]),
    Buffer.from("x-attack-one"),
    Buffer.from([100]),
    Buffer.alloc(100, "a"),
  ]);
  return Buffer.concat(Array.from({ length: count }, () => one));
}

test("headers that go on for 10,000 frames cost bounded memory, and end their connection", async () => {
  const clients = await rawClients(10, grpcUrl, preface.toString("latin1"));
  const part = literals(100);
  const growth = await memoryGrowth(adminUrl, async () => {
    for (const { socket } of clients) {
      socket.write(frame(headersType, 0, 1, part));
      for (let index = 0; index < 1_000; index++) socket.write(frame(continuationType, 0, 1, part));
    }
    for (const client of clients) client.read();
    await expect.poll(() => clients.every(({ socket }) => socket.destroyed || socket.readableEnded), soon).toBe(true);
    await quietly(quiet, 2_000);
  });
  expect(growth).toBeLessThan(50);
});

test.each<[name: string, frames: Buffer]>([
  ["data of no stream", frame(dataType, 0, 0, Buffer.alloc(10))],
  ["data of a stream that was never opened", frame(dataType, 0, 7, Buffer.alloc(10))],
  ["headers that no table has", frame(headersType, 4, 1, Buffer.alloc(10, 0xff))],
  ["settings of a wrong length", frame(settingsType, 0, 0, Buffer.alloc(5))],
  ["a promise by a client", frame(pushType, 4, 1, Buffer.alloc(4))],
  ["a window that does not grow", frame(windowType, 0, 0, Buffer.alloc(4))],
  ["a frame larger than agreed", frame(dataType, 0, 1, Buffer.alloc(100_000))],
  ["a continuation of nothing", frame(continuationType, 4, 1, Buffer.alloc(10))],
])("%s ends its connection", async (_, frames) => {
  const [client] = await rawClients(1, grpcUrl, preface.toString("latin1"));
  client?.read().socket.write(frames);
  await expect.poll(() => client?.socket.destroyed || client?.socket.readableEnded, soon).toBe(true);
});

/** A field of a message that is bytes, a text or a message. */
function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

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
