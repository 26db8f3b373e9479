// The gRPC port: silent connections, messages that never end or state a wrong length, endless streams, unread answers.

import { once } from "node:events";
import { constants } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startAttackedGrpc } from "../harness/attacked-grpc.ts";
import { memoryGrowth } from "../harness/memory-in-use.ts";
import { rawClients } from "../harness/raw-client.ts";
import { framed, rawCall } from "../harness/raw-grpc.ts";

const { grpcUrl, adminUrl, credentials, session, neighbour } = await startAttackedGrpc({ KEEP_ALIVE_MS: "3000" });
const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const listTopics = "/ems.catalog.v1.TopicService/ListTopics";
const json = Object.entries({ "content-type": "application/json", ...credentials })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");
const mebibyte = 1024 * 1024;
const soon = { timeout: 60_000, interval: 250 };

test("100 connections that never speak HTTP/2, and 50 sessions that ask nothing, are closed", async () => {
  const silent = await rawClients(100, grpcUrl, "", { allowHalfOpen: true });
  const idle = Array.from({ length: 50 }, () => session());
  await neighbour(1_000);
  for (const client of silent) client.read();
  await expect.poll(() => idle.every(({ closed, destroyed }) => closed || destroyed), soon).toBe(true);
  await expect.poll(() => silent.every(({ socket }) => socket.readableEnded || socket.destroyed), soon).toBe(true);
});

test("100 requests of HTTP/1.1 that never end are closed", async () => {
  const half = await rawClients(100, grpcUrl, `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n`);
  for (const client of half) client.read();
  await neighbour(1_000);
  await expect.poll(() => half.every(({ socket }) => socket.destroyed || socket.readableEnded), soon).toBe(true);
});

test.each<[name: string, begin: string, drip: string]>([
  ["headers", `POST ${path} HTTP/1.1\r\nhost: a\r\nx-slow: `, "a"],
  ["bodies of JSON", `POST ${listTopics} HTTP/1.1\r\nhost: a\r\n${json}content-length: 9999\r\n\r\n`, " "],
  ["chunks", `POST ${listTopics} HTTP/1.1\r\nhost: a\r\n${json}transfer-encoding: chunked\r\n\r\n`, "1\r\n \r\n"],
])("%s of HTTP/1.1 that come byte by byte, on 100 connections, are cut off", async (_, begin, drip) => {
  const slow = await rawClients(100, grpcUrl, begin);
  for (const client of slow) client.read();
  const dripping = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write(drip);
  }, 200);
  onTestFinished(() => clearInterval(dripping));
  await neighbour(2_000);
  await expect.poll(() => slow.every(({ socket }) => socket.destroyed || socket.readableEnded), soon).toBe(true);
});

test("calls of HTTP/2 whose message comes byte by byte are reset", async () => {
  const calls = Array.from({ length: 5 }, () => session()).flatMap((client) =>
    Array.from({ length: 20 }, () => rawCall(client, listTopics, credentials)),
  );
  for (const { stream } of calls) stream.write(framed(Buffer.alloc(0), 10_000));
  const dripping = setInterval(() => {
    for (const { stream } of calls) if (stream.writable) stream.write(" ");
  }, 200);
  onTestFinished(() => clearInterval(dripping));
  await neighbour(2_000);
  for (const { answer } of calls) expect((await answer).status).not.toBe(0);
});

test("frames that claim four gigabytes, and messages beyond their limit, are refused", async () => {
  const client = session();
  const lying = rawCall(client, path, credentials);
  lying.stream.end(framed(Buffer.alloc(1_000), 0xffffffff));
  expect((await lying.answer).status).toBeGreaterThan(0);
  const large = rawCall(client, path, credentials);
  large.stream.end(framed(Buffer.alloc(17 * mebibyte)));
  expect((await large.answer).status).not.toBe(0);
});

test("200 messages of 15 MB that are never finished cost bounded memory, and end", async () => {
  const part = framed(Buffer.alloc(2 * mebibyte), 15 * mebibyte);
  const calls = Array.from({ length: 4 }, () => session()).flatMap((client) =>
    Array.from({ length: 50 }, () => rawCall(client, path, credentials)),
  );
  const growth = await memoryGrowth(adminUrl, async () => {
    for (const { stream } of calls) stream.write(part);
    await neighbour(5_000);
  });
  expect(growth).toBeLessThan(100);
  const statuses = await Promise.all(calls.map(({ answer }) => answer));
  expect(statuses.filter(({ status }) => status === 0)).toEqual([]);
});

test("thousands of streams that are opened and reset end their connection at most", async () => {
  const client = session();
  await once(client, "connect");
  for (let round = 0; round < 20 && !client.destroyed; round++) {
    for (let index = 0; index < 500 && !client.destroyed; index++) {
      const { stream } = rawCall(client, path, credentials);
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await delay(10);
  }
  await neighbour(1_000);
});

test("bad keys are delayed as over HTTP, and a good key of the same address is not", async () => {
  const client = session();
  const bad = Array.from({ length: 200 }, () =>
    rawCall(client, path, { ...credentials, "x-api-key": `ems_${"0".repeat(49)}` }),
  );
  for (const { stream } of bad) stream.end(framed(Buffer.alloc(0)));
  await neighbour(1_000);
  const good = rawCall(session(), path, credentials);
  good.stream.end(framed(Buffer.alloc(0)));
  expect((await good.answer).status).not.toBe(16);
  for (const { answer } of bad) expect([8, 16]).toContain((await answer).status);
});
