import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { Code, ConnectError } from "@ems/kit/errors";
import { testKeys } from "@ems/test-support/rpc-keys";
import { expect, onTestFinished, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { gunzipBody, receiveBody } from "./body.ts";
import { Budgets } from "./budget.ts";

function memory(bytes = 1_000_000) {
  const limits = { BODIES_MAX_BYTES: bytes, BODIES_PER_APPLICATION_MAX_BYTES: bytes };
  const budgets = new Budgets({ ...gatewayConfig(testKeys), ...limits });
  onTestFinished(() => budgets.stop());
  return budgets;
}
const readCode = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error).code,
  );

test("a body of exactly the limit is received whole and counted, whatever its chunks", async () => {
  const all = memory();
  const bytes = Buffer.from("0123456789");
  const stream = Readable.from([bytes.subarray(0, 1), bytes.subarray(1, 7), bytes.subarray(7)]);
  expect(await receiveBody(stream, 10, all.open({ applicationId: "a" }))).toEqual(bytes);
  expect(all.bodyBytes).toBe(10);
  expect(await receiveBody(Readable.from([]), 10, memory().open({ applicationId: "a" }))).toEqual(Buffer.alloc(0));
});

test("a body over the limit is read to its end before it is refused, and holds no memory", async () => {
  const all = memory();
  const stream = Readable.from([Buffer.alloc(10), Buffer.alloc(1), Buffer.alloc(5)]);
  expect(await readCode(receiveBody(stream, 10, all.open({ applicationId: "a" })))).toBe(Code.ResourceExhausted);
  expect([stream.readableEnded, all.bodyBytes]).toEqual([true, 0]);
});

test("a body larger than twice the limit is not read to its end", async () => {
  const stream = new PassThrough();
  const refused = readCode(receiveBody(stream, 10, memory().open({ applicationId: "a" })));
  stream.write(Buffer.alloc(21));
  stream.write(Buffer.alloc(1));
  expect(await refused).toBe(Code.ResourceExhausted);
  expect([stream.readableEnded, stream.listenerCount("data")]).toEqual([false, 0]);
});

test("a body that exceeds the memory budget is refused with the budget's error", async () => {
  expect(
    await readCode(receiveBody(Readable.from([Buffer.alloc(11)]), 100, memory(10).open({ applicationId: "a" }))),
  ).toBe(Code.Unavailable);
});

test("a disconnected client ends the body with its error", async () => {
  const stream = new PassThrough();
  const received = receiveBody(stream, 10, memory().open({ applicationId: "a" }));
  stream.destroy(new Error("aborted"));
  await expect(received).rejects.toThrow("aborted");
});

test("gzip is decompressed within the limit", async () => {
  const text = Buffer.from("text ".repeat(100));
  const all = memory();
  const held = all.open({ applicationId: "a" });
  expect(await gunzipBody(gzipSync(text), text.length, held)).toEqual(text);
  expect(all.bodyBytes).toBe(text.length);
  expect(await gunzipBody(Buffer.concat([gzipSync("a"), gzipSync("b")]), 2, held)).toEqual(Buffer.from("ab"));
  expect(await readCode(gunzipBody(gzipSync(text), text.length - 1, held))).toBe(Code.ResourceExhausted);
});

test("a small gzip body that inflates to zeros stops at the limit", async () => {
  const all = memory(1_000_000);
  expect(
    await readCode(gunzipBody(gzipSync(Buffer.alloc(50_000_000)), 500_000, all.open({ applicationId: "a" }))),
  ).toBe(Code.ResourceExhausted);
  expect(all.bodyBytes).toBe(0);
});

test.each([
  ["plain text", Buffer.from("plain")],
  ["truncated gzip", gzipSync("text ".repeat(100)).subarray(0, 20)],
  ["an empty body", Buffer.alloc(0)],
])("undefined for %s", async (_, bytes) => {
  expect(await gunzipBody(bytes, 1_000, memory().open({ applicationId: "a" }))).toBeUndefined();
});
