// The gRPC port: connections that say nothing, messages that never end or lie, streams without end, answers nobody reads.

import { once } from "node:events";
import http2, { type ClientHttp2Session } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { collectingGarbage, memoryGrowth } from "../harness/memory-in-use.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import { rawClients } from "../harness/raw-client.ts";
import { framed, openSession, rawCall } from "../harness/raw-grpc.ts";

const product = await startAttacked("one", { KEEP_ALIVE_MS: "3000", ...collectingGarbage });
const { grpcUrl, adminUrl } = product.facts;
const address = new URL(grpcUrl).host;
const quiet = await product.tenant();
const noisy = await product.tenant();
const credentials = { "x-api-key": noisy.apiKey, "x-application-id": noisy.applicationId };
const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const mebibyte = 1024 * 1024;
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

test("100 connections that never speak HTTP/2, and 50 sessions that ask nothing, are closed", async () => {
  const silent = await rawClients(100, grpcUrl, "", { allowHalfOpen: true });
  const idle = Array.from({ length: 50 }, session);
  await quietly(quiet, 1_000);
  for (const client of silent) client.read();
  await expect.poll(() => idle.every(({ closed, destroyed }) => closed || destroyed), soon).toBe(true);
  await expect.poll(() => silent.every(({ socket }) => socket.readableEnded || socket.destroyed), soon).toBe(true);
});

test("100 requests of HTTP/1.1 that never end are closed", async () => {
  const half = await rawClients(100, grpcUrl, `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n`);
  for (const client of half) client.read();
  await quietly(quiet, 1_000);
  await expect.poll(() => half.every(({ socket }) => socket.destroyed || socket.readableEnded), soon).toBe(true);
});

test("frames that claim four gigabytes, and messages beyond their limit, are refused", async () => {
  const one = session();
  const lying = rawCall(one, path, credentials);
  lying.stream.end(framed(Buffer.alloc(1_000), 0xffffffff));
  expect((await lying.answer).status).toBeGreaterThan(0);
  const large = rawCall(one, path, credentials);
  large.stream.end(framed(Buffer.alloc(17 * mebibyte)));
  expect((await large.answer).status).not.toBe(0);
});

test("gzip that inflates to 200 MB is left at the limit", async () => {
  const bomb = gzipSync(Buffer.alloc(200 * mebibyte), { level: 9 });
  const frame = framed(bomb);
  frame[0] = 1;
  const calls = Array.from({ length: 6 }, () => rawCall(session(), path, { ...credentials, "grpc-encoding": "gzip" }));
  for (const { stream } of calls) stream.end(frame);
  for (const { answer } of calls) expect((await answer).status).toBeGreaterThan(0);
});

test("200 messages of 15 MB that are never finished cost bounded memory, and end", async () => {
  const part = framed(Buffer.alloc(2 * mebibyte), 15 * mebibyte);
  const calls = Array.from({ length: 4 }, session).flatMap((one) =>
    Array.from({ length: 50 }, () => rawCall(one, path, credentials)),
  );
  const growth = await memoryGrowth(adminUrl, async () => {
    for (const { stream } of calls) stream.write(part);
    await quietly(quiet, 5_000);
  });
  expect(growth).toBeLessThan(100);
  const statuses = await Promise.all(calls.map(({ answer }) => answer));
  expect(statuses.filter(({ status }) => status === 0)).toEqual([]);
});

test("thousands of streams that are opened and reset end their connection at most", async () => {
  const one = session();
  await once(one, "connect");
  for (let round = 0; round < 20 && !one.destroyed; round++) {
    for (let index = 0; index < 500 && !one.destroyed; index++) {
      const { stream } = rawCall(one, path, credentials);
      stream.close(http2.constants.NGHTTP2_CANCEL);
    }
    await delay(10);
  }
  await quietly(quiet, 1_000);
});

test("answers that nobody reads are given up", async () => {
  const one = http2.connect(grpcUrl, { settings: { initialWindowSize: 0 } });
  one.on("error", () => undefined);
  sessions.push(one);
  const calls = Array.from({ length: 50 }, () => rawCall(one, path, credentials));
  for (const { stream } of calls) stream.end(framed(Buffer.alloc(0)));
  await quietly(quiet, 2_000);
  await Promise.all(calls.map(({ answer }) => answer));
});

test("bad keys are delayed as over HTTP, and a good key of the same address is not", async () => {
  const one = session();
  const bad = Array.from({ length: 200 }, () =>
    rawCall(one, path, { ...credentials, "x-api-key": `ems_${"0".repeat(49)}` }),
  );
  for (const { stream } of bad) stream.end(framed(Buffer.alloc(0)));
  await quietly(quiet, 1_000);
  const good = rawCall(session(), path, credentials);
  good.stream.end(framed(Buffer.alloc(0)));
  expect((await good.answer).status).not.toBe(16);
  for (const { answer } of bad) expect([8, 16]).toContain((await answer).status);
});
