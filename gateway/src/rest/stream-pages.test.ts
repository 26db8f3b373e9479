import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type DownloadTracesResponseSchema, TraceService } from "@ems/proto/experiments/v1/trace_service";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { credentials, openGateway } from "../../test/harness.ts";

type GetPage = (
  number: number,
  after: string | undefined,
) => Promise<MessageInitShape<typeof DownloadTracesResponseSchema>>;

/** Starts a gateway whose export has the pages that `getPage` returns. */
async function openExport(getPage: GetPage, env: Record<string, string> = {}) {
  let calls = 0;
  const { app } = await openGateway(
    (router) => router.service(TraceService, { downloadTraces: ({ after }) => getPage(calls++, after) }),
    env,
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, countCalls: () => calls };
}

/** Downloads the export; `isComplete` is false if the connection broke. */
async function download(port: number, headers: Record<string, string> = {}, query = "") {
  const sent = request({
    port,
    host: "127.0.0.1",
    path: `/v0/traces/export${query}`,
    headers: { ...credentials, ...headers },
  });
  sent.end();
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined);
  await new Promise((resolve) => response.once("close", resolve));
  return { status: response.statusCode, isComplete: response.complete, body: Buffer.concat(chunks) };
}

const page = (text: string, next?: string) => ({ payload: Buffer.from(text), ...(next !== undefined && { next }) });
const unavailable = new ConnectError("gone", Code.Unavailable);

test("each page continues after the previous one, and the last one ends the response", async () => {
  const { port } = await openExport(async (number, after) => page(`${after}\n`, number < 3 ? `c${number}` : undefined));
  const { status, isComplete, body } = await download(port);
  expect([status, isComplete, body.toString()]).toEqual([200, true, "undefined\nc0\nc1\nc2\n"]);
});

test("the rows of all pages are one Parquet file", async () => {
  const { port } = await openExport(async (number) => ({
    payload: Buffer.alloc(0),
    rows: [{ traceId: `t${number}`, promptTokens: 5n }],
    ...(number < 2 && { next: "c" }),
  }));
  const { body } = await download(port, {}, "?format=parquet");
  const file = new Uint8Array(body).buffer;
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };
  expect(await parquetReadObjects({ file, compressors })).toMatchObject([
    { traceId: "t0", promptTokens: 5n, name: null },
    { traceId: "t1" },
    { traceId: "t2" },
  ]);
});

test("a failure of the first page is a response with an error", async () => {
  const { port } = await openExport(async () => {
    throw unavailable;
  });
  expect(await download(port)).toMatchObject({ status: 503, isComplete: true });
});

test("a temporary failure of a later page is retried", async () => {
  const { port, countCalls } = await openExport(async (number) => {
    if (number === 1) throw unavailable;
    return number === 0 ? page("1\n", "c") : page("2\n");
  });
  expect((await download(port)).body.toString()).toBe("1\n2\n");
  expect(countCalls()).toBe(3);
});

test.each(["identity", "gzip"])("a permanent failure leaves the response incomplete (%s)", async (encoding) => {
  const { port } = await openExport(async (number) => {
    if (number === 1) throw new ConnectError("lost", Code.Internal);
    return page("1\n", "c");
  });
  expect(await download(port, { "accept-encoding": encoding })).toMatchObject({ status: 200, isComplete: false });
});

test("a permanent failure resets a connection of HTTP/1.0, which has no chunks", async () => {
  const { port } = await openExport(async (number) => {
    if (number === 1) throw new ConnectError("lost", Code.Internal);
    return page("1\n", "c");
  });
  const socket = connect(port, "127.0.0.1");
  const headers = Object.entries(credentials).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /v0/traces/export HTTP/1.0\r\nhost: x\r\n${headers.join("")}\r\n`);
  socket.resume();
  await expect(new Promise((resolve, reject) => socket.once("error", reject).once("close", resolve))).rejects.toThrow(
    "ECONNRESET",
  );
});

test("lines of a compressed export can be read up to a failure", async () => {
  const { port } = await openExport(async (number) => {
    if (number < 2) return page(`${number}\n`, "c");
    // By then, the client has received the other lines.
    await setTimeout(200);
    throw new ConnectError("lost", Code.Internal);
  });
  const { isComplete, body } = await download(port, { "accept-encoding": "gzip" });
  expect(isComplete).toBe(false);
  expect(gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH }).toString()).toBe("0\n1\n");
});

test("a client that reads slowly holds back the pages, and one that disconnects ends them", async () => {
  const large = "x".repeat(1024 * 1024);
  let isCanceled = false;
  const { port, countCalls } = await openExport(async () => page(large, "c"));
  const sent = request({ port, host: "127.0.0.1", path: "/v0/traces/export", headers: credentials });
  sent.end();
  sent.on("close", () => {
    isCanceled = true;
  });
  const [response] = await once(sent, "response");
  response.pause();
  const countStable = async () => {
    let before = -1;
    const isSame = () => {
      const isStable = countCalls() === before;
      before = countCalls();
      return isStable;
    };
    await expect.poll(isSame, { interval: 500 }).toBe(true);
    return countCalls();
  };
  const held = await countStable();
  // The socket's buffers hold a few MiB.
  expect(held).toBeLessThan(16);
  response.destroy();
  await expect.poll(() => isCanceled).toBe(true);
  expect(await countStable()).toBeLessThanOrEqual(held + 1);
});

test("an application has a limited number of exports at once", async () => {
  const { port } = await openExport(async () => page("x".repeat(8 * 1024 * 1024), "c"), {
    EXPORTS_PER_APPLICATION_MAX: "1",
  });
  const sent = request({ port, host: "127.0.0.1", path: "/v0/traces/export", headers: credentials });
  sent.end();
  const [response] = await once(sent, "response");
  expect((await download(port)).status).toBe(429);
  response.destroy();
  const isFree = async () => {
    const repeated = request({
      port,
      host: "127.0.0.1",
      method: "HEAD",
      path: "/v0/traces/export",
      headers: credentials,
    });
    repeated.end();
    const [{ statusCode }] = await once(repeated, "response");
    return statusCode === 200;
  };
  await expect.poll(isFree).toBe(true);
});
