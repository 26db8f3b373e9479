import { Readable } from "node:stream";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { sendInChunks } from "./http-server.ts";

test.each([
  ["text", "é".repeat(100_000)],
  ["bytes", Buffer.alloc(200_000, "ab")],
  ["short text", "é"],
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
