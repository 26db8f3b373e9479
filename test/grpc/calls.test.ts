// gRPC calls with deadlines, cancellation, compression and concurrency, and answers that the client does not read.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { gunzipSync, gzipSync } from "node:zlib";
import type grpc from "@grpc/grpc-js";
import { afterAll, expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import { ForeignClient } from "./client.ts";

const { grpcUrl } = inject("product");
const { apiKey } = await newTenant();
const client = await ForeignClient.open({ grpcUrl, apiKey });
const create = "ems.catalog.v1.TopicService/CreateTopic";
const list = "ems.catalog.v1.TopicService/ListTopics";
const sessions: ClientHttp2Session[] = [];
afterAll(() => {
  client.close();
  for (const session of sessions) session.destroy();
});

test("a deadline that cannot be met is DEADLINE_EXCEEDED, and costs nothing afterwards", async () => {
  const errors = await Promise.all(Array.from({ length: 50 }, () => client.failure(list, {}, { deadlineMs: 1 })));
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set([4]));
  expect(await client.answer(list)).toMatchObject({ pagination: { total: expect.any(Number) } });
});

test("the server itself ends a call at its grpc-timeout", async () => {
  // The header says so to the server only: this client sets no timer of its own.
  const { headers } = await raw(list, Buffer.alloc(0), { "grpc-timeout": "1n" });
  expect(headers["grpc-status"]).toBe("4");
});

test("a call that is cancelled is CANCELLED, and others of the connection go on", async () => {
  const key = randomUUID();
  const concurrent = Promise.all(Array.from({ length: 20 }, () => client.answer(list)));
  const cancel = (call: grpc.ClientUnaryCall) => setImmediate(() => call.cancel());
  const error = await client.failure(create, { title: key }, { started: cancel });
  expect(error.code).toBe(1);
  expect(await concurrent).toHaveLength(20);
});

test("requests are taken compressed, and large answers are compressed for those who take it", async () => {
  const zipped = await ForeignClient.open({ grpcUrl, apiKey }, undefined, { "grpc.default_compression_algorithm": 2 });
  const text = "a word and ".repeat(5_000);
  const { document } = await zipped.answer("ems.catalog.v1.DocumentService/CreateDocument", {
    title: "Long",
    content: text,
  });
  zipped.close();
  const request = Buffer.concat([Buffer.from([0x0a, document.id.length]), Buffer.from(document.id)]);
  const read = "ems.catalog.v1.DocumentService/ListDocumentVersions";
  const plain = await raw(read, request, { "grpc-accept-encoding": "identity" });
  expect([plain.headers["grpc-encoding"] ?? "identity", plain.frame[0]]).toEqual(["identity", 0]);
  expect(plain.frame.toString()).toContain(text);
  const small = await raw(read, request, { "grpc-accept-encoding": "identity,gzip" });
  expect([small.headers["grpc-encoding"], small.frame[0]]).toEqual(["gzip", 1]);
  expect(small.frame.length).toBeLessThan(plain.frame.length / 10);
  expect(gunzipSync(small.frame.subarray(5)).toString()).toContain(text);
  const sent = await raw(read, gzipSync(request), { "grpc-encoding": "gzip" }, 1);
  expect(sent.frame.length).toBe(plain.frame.length);
  const unknown = await raw(read, request, { "grpc-encoding": "brotli" }, 1);
  expect([unknown.headers["grpc-status"], unknown.headers["grpc-accept-encoding"]]).toEqual([
    "12",
    expect.stringContaining("gzip"),
  ]);
});

test("a thousand calls at once are all answered, by a client that repeats what it may", async () => {
  const many = await ForeignClient.open({ grpcUrl, apiKey }, undefined, {
    "grpc.service_config": JSON.stringify({
      methodConfig: [
        {
          name: [{}],
          retryPolicy: {
            maxAttempts: 5,
            initialBackoff: "0.1s",
            maxBackoff: "2s",
            backoffMultiplier: 2,
            retryableStatusCodes: ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],
          },
        },
      ],
    }),
  });
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      index % 10 === 0 ? many.answer(create, { title: `Topic ${index}` }) : many.answer(list, { limit: 1 }),
    ),
  );
  expect(answers.filter(({ data }) => data !== undefined)).toHaveLength(1_000);
  const { pagination } = await many.answer(list, { title: "Topic ", limit: 1 });
  expect(pagination.total).toBe(100);
  many.close();
});

test("a client that does not read its answer delays no other client", async () => {
  const content = "x".repeat(500_000);
  const { document } = await client.answer("ems.catalog.v1.DocumentService/CreateDocument", {
    title: "Large",
    content,
  });
  const request = Buffer.concat([Buffer.from([0x0a, document.id.length]), Buffer.from(document.id)]);
  const session = open();
  const slow = session.request(getHeaders("ems.catalog.v1.DocumentService/ListDocumentVersions"));
  slow.end(framed(request));
  await once(slow, "response");
  slow.pause();
  expect(await Promise.all(Array.from({ length: 50 }, () => client.answer(list, { limit: 1 })))).toHaveLength(50);
  let length = 0;
  slow.on("data", (chunk: Buffer) => {
    length += chunk.length;
  });
  slow.resume();
  await once(slow, "end");
  expect(length).toBeGreaterThan(500_000);
});

function open(): ClientHttp2Session {
  const session = connect(grpcUrl);
  sessions.push(session);
  return session;
}

const getHeaders = (rpc: string) => ({
  ":method": "POST",
  ":path": `/${rpc}`,
  te: "trailers",
  "content-type": "application/grpc",
  authorization: `Bearer ${apiKey}`,
});

function framed(message: Uint8Array, flags = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flags);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Makes one call over plain HTTP/2; returns its headers and trailers together. */
async function raw(rpc: string, message: Uint8Array, more: Record<string, string>, flags = 0) {
  const stream = open().request({ ...getHeaders(rpc), ...more });
  const headers: Record<string, unknown> = {};
  stream.on("response", (initial) => Object.assign(headers, initial));
  stream.on("trailers", (trailers) => Object.assign(headers, trailers));
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.end(framed(message, flags));
  await once(stream, "close");
  return { headers, frame: Buffer.concat(chunks) };
}
