import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { Code } from "@ems/kit/errors";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { ResponseBuffers, sendInChunks } from "./response-buffer.ts";

const limits = { ANSWERS_WAITING_MAX_BYTES: 100, ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES: 40 };

test("an application with too many unread bytes is rejected, others only when the total is reached", () => {
  const buffers = new ResponseBuffers(limits);
  const first = new EventEmitter();
  buffers.track("a", 39, first);
  buffers.check("a");
  buffers.track("a", 30, new EventEmitter());
  expect(() => buffers.check("a")).toThrow(expect.objectContaining({ code: Code.ResourceExhausted }));
  buffers.check("b");
  first.emit("close");
  buffers.check("a");
  buffers.track("b", 70, new EventEmitter());
  // Nothing is left: 503 for an application without unread bytes, 429 for one with some.
  expect(() => buffers.check("c")).toThrow(expect.objectContaining({ code: Code.Unavailable }));
  expect(() => buffers.check("a")).toThrow(expect.objectContaining({ code: Code.ResourceExhausted }));
});

test("an application never holds more than is left for others", () => {
  const buffers = new ResponseBuffers(limits);
  buffers.track("a", 39, new EventEmitter());
  buffers.track("b", 31, new EventEmitter());
  expect(() => buffers.check("b")).toThrow(expect.objectContaining({ code: Code.ResourceExhausted }));
  buffers.check("c");
});

test.each([
  ["text", "é".repeat(100_000)],
  ["bytes", Buffer.alloc(200_000, "ab")],
  ["little text", "é"],
] as const)("large responses are sent in chunks and arrive complete: %s", async (_, payload) => {
  const app = Fastify();
  sendInChunks(app);
  const sent: unknown[] = [];
  app.addHook("onSend", async (_request, _reply, sentPayload) => void sent.push(sentPayload));
  app.get("/", async () => payload);
  const { rawPayload, headers } = await app.inject("/");
  const bytes = Buffer.from(payload);
  expect(rawPayload.equals(bytes)).toBe(true);
  expect(headers["content-length"]).toBe(String(bytes.length));
  expect(sent[0] instanceof Readable).toBe(bytes.length > 64 * 1024);
  const head = await app.inject({ method: "HEAD", url: "/" });
  expect([head.headers["content-length"], head.body]).toEqual([String(bytes.length), ""]);
});
