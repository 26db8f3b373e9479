// The gRPC port: huge metadata, by one header, by many, or by references to HPACK's table.

import { expect, test } from "vitest";
import { startAttackedGrpc } from "../harness/attacked-grpc.ts";
import { memoryGrowth } from "../harness/memory-in-use.ts";
import { rawClients } from "../harness/raw-client.ts";
import { headerFrames, indexedLiteral, literal, preface } from "../harness/raw-frames.ts";
import { framed, rawCall } from "../harness/raw-grpc.ts";

const { grpcUrl, adminUrl, credentials, session, neighbour } = await startAttackedGrpc();
const listTopics = "/ems.catalog.v1.TopicService/ListTopics";
const soon = { timeout: 60_000, interval: 250 };

// `:method POST` and `:scheme http` from HPACK's table, and the other required headers.
const request = Buffer.concat([
  Buffer.from([0x83, 0x86]),
  literal(":path", listTopics),
  literal(":authority", "ems"),
  literal("content-type", "application/grpc"),
  literal("te", "trailers"),
  literal("x-api-key", credentials["x-api-key"] ?? ""),
]);
const repeated = (part: Uint8Array, count: number) => Buffer.concat(Array(count).fill(part));

/** An indexed entry of 4,000 bytes, and one byte for each reference to it. */
const bomb = Buffer.concat([request, indexedLiteral("x-bomb", "b".repeat(4_000)), Buffer.alloc(16_000, 0xbe)]);

test.each<[name: string, block: Buffer]>([
  ["one header of a megabyte", Buffer.concat([request, literal("x-large", "a".repeat(1024 * 1024))])],
  ["one header of 20 KB", Buffer.concat([request, literal("x-large", "a".repeat(20_000))])],
  ["10,000 headers", Buffer.concat([request, repeated(literal("x-one", "a"), 10_000)])],
  ["4,000 bytes that 16,000 references repeat", bomb],
  [
    "the same as one cookie",
    Buffer.concat([request, indexedLiteral("cookie", "b".repeat(4_000)), Buffer.alloc(16_000, 0xbe)]),
  ],
])("%s, on 20 streams of 10 connections, cost bounded memory and are not answered", async (_, block) => {
  const growth = await memoryGrowth(adminUrl, async () => {
    const clients = await rawClients(10, grpcUrl, preface.toString("latin1"));
    for (const client of clients) client.read();
    for (let stream = 1; stream < 40; stream += 2)
      for (const { socket } of clients) socket.write(headerFrames(stream, block));
    await neighbour(3_000);
    // No success: grpc-status 0 would be in its trailers, as a literal or Huffman-coded.
    for (const client of clients) expect(client.received()).not.toContain("grpc-status");
    for (const client of clients) client.socket.destroy();
  });
  expect(growth).toBeLessThan(50);
});

test("metadata within the limit is taken, beyond it the call alone is refused", async () => {
  const opened = session();
  const call = async (headers: Record<string, string>) => {
    const { stream, answer } = rawCall(opened, listTopics, { ...credentials, ...headers });
    stream.end(framed(Buffer.alloc(0)));
    return (await answer).status;
  };
  expect(await call({ "x-large": "a".repeat(12_000) })).toBe(0);
  expect(await call({ "x-large": "a".repeat(40_000) })).not.toBe(0);
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-many-${at}`, "a"]));
  expect(await call(many)).not.toBe(0);
  expect(await call({})).toBe(0);
});

test("headers of HTTP/1.1 beyond the limit are refused, and the connection ends", async () => {
  const head = `POST ${listTopics} HTTP/1.1\r\nhost: ems\r\ncontent-type: application/json\r\n`;
  const opened = await rawClients(50, grpcUrl, `${head}x-large: ${"a".repeat(200_000)}\r\n\r\n`);
  const many = await rawClients(50, grpcUrl, `${head}${"x-many: a\r\n".repeat(10_000)}\r\n`);
  for (const client of [...opened, ...many]) client.read();
  await neighbour(1_000);
  await expect.poll(() => [...opened, ...many].every(({ socket }) => socket.destroyed), soon).toBe(true);
  for (const client of opened) expect(client.received()).toMatch(/^(HTTP\/1\.1 431 |$)/);
});
