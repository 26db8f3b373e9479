// The gRPC port with fake services: what passes, what is refused, and how the port ends.

import { once } from "node:events";
import http2 from "node:http2";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { createRouterTransport } from "@connectrpc/connect";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { systemClock } from "@ems/kit/clock";
import { Code, tooManyRequests, unauthenticated } from "@ems/kit/errors";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { testKeys } from "@ems/test-support/rpc-keys";
import { expect, onTestFinished, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { createGateway } from "../server.ts";

const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const apiKey = formKey(Buffer.alloc(keyBytes, 7));
const applicationId = newId();
const credentials = { "x-api-key": apiKey, "x-application-id": applicationId };

type Answer = (request: { payload: Uint8Array; contentType: string }) => Promise<{ payload: Uint8Array; rows: bigint }>;

async function portWith(answer: Answer, env: Record<string, string> = {}) {
  const transport = createRouterTransport((router) => {
    router.service(ApiKeyService, {
      authenticate: async ({ apiKey: key }) => {
        if (key !== apiKey) throw unauthenticated();
        return { keyId: "k", applicationId, orgId: "o", userId: "u" };
      },
    });
    router.service(OtlpService, { exportTraces: answer });
  });
  const { app, grpc } = await createGateway(gatewayConfig({ ...testKeys, GRPC_PORT: "0", ...env }), {
    log: createLog("test", "silent"),
    clock: systemClock,
    newId,
    health: new Health(async () => undefined),
    peer: () => transport,
  });
  const port = await grpc.listen();
  onTestFinished(async () => {
    await grpc.close(0);
    await app.close();
  });
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  const send = (to: string, message: Uint8Array, headers: Record<string, string>, flag = 0) => {
    const prefix = Buffer.from([flag, 0, 0, 0, 0]);
    prefix.writeUInt32BE(message.length, 1);
    return call(session, to, Buffer.concat([prefix, message]), headers);
  };
  return { port, grpc, session, send };
}

async function call(session: http2.ClientHttp2Session, to: string, body: Buffer, headers: Record<string, string>) {
  const stream = session.request({
    ":method": "POST",
    ":path": to,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  let metadata: http2.IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  stream
    .on("response", (more) => Object.assign(metadata, more))
    .on("trailers", (more) => Object.assign(metadata, more));
  stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined);
  stream.end(body);
  await once(stream, "close");
  metadata = { ...metadata };
  return { status: Number(metadata["grpc-status"]), metadata, payload: Buffer.concat(chunks).subarray(5) };
}

const echo: Answer = async ({ payload }) => ({ payload, rows: 1n });
// A field 1 of three bytes, and one that no version has.
const message = Buffer.from([0x0a, 3, 1, 2, 3, 0x92, 0x3f, 1, 65]);

test("bytes reach the service and come back as they were, also compressed", async () => {
  const seen: unknown[] = [];
  const { send } = await portWith(async (request) => {
    seen.push([Buffer.from(request.payload), request.contentType]);
    return echo(request);
  });
  const plain = await send(path, message, credentials);
  const packed = await send(path, gzipSync(message), { ...credentials, "grpc-encoding": "gzip" }, 1);
  expect(seen).toEqual(Array(2).fill([message, "application/x-protobuf"]));
  for (const { status, payload, metadata } of [plain, packed]) {
    expect([status, payload]).toEqual([0, message]);
    expect(metadata["ratelimit-policy"]).toContain('"ingest"');
    expect(metadata["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("the headers decide before the message is read", async () => {
  const { send } = await portWith(echo);
  const codes = async (headers: Record<string, string>) => (await send(path, message, headers)).status;
  expect(await codes({})).toBe(Code.Unauthenticated);
  expect(await codes({ ...credentials, "x-api-key": formKey(Buffer.alloc(keyBytes, 8)) })).toBe(Code.Unauthenticated);
  expect(await codes({ ...credentials, "x-application-id": newId() })).toBe(Code.PermissionDenied);
  expect(await codes({ ...credentials, "content-type": "application/grpc+json" })).toBe(Code.Unimplemented);
  expect((await send("/x.Y/Z", message, credentials)).status).toBe(Code.Unimplemented);
});

test("a rate limit says when to send again, a size limit does not", async () => {
  const { send } = await portWith(() => Promise.reject(tooManyRequests("Too many rows", 3_000)));
  const limited = await send(path, message, credentials);
  expect([limited.status, limited.metadata["retry-after"]]).toEqual([Code.ResourceExhausted, "3"]);
  const details = Buffer.from(String(limited.metadata["grpc-status-details-bin"]), "base64").toString("latin1");
  expect(details).toContain("google.rpc.RetryInfo");

  const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024));
  const tooLarge = await send(path, bomb, { ...credentials, "grpc-encoding": "gzip" }, 1);
  expect([tooLarge.status, tooLarge.metadata["grpc-status-details-bin"]]).toEqual([Code.ResourceExhausted, undefined]);
  expect((await send(path, Buffer.from("no gzip"), { ...credentials, "grpc-encoding": "gzip" }, 1)).status).toBe(
    Code.InvalidArgument,
  );
});

test("rows are charged when the service has counted them", async () => {
  const { send } = await portWith(async () => ({ payload: new Uint8Array(), rows: 25n }), {
    RATE_LIMIT_INGEST_ROWS_BURST: "20",
    RATE_LIMIT_INGEST_ROWS_PER_MINUTE: "60",
  });
  expect((await send(path, message, credentials)).status).toBe(0);
  const second = await send(path, message, credentials);
  expect([second.status, second.metadata["grpc-message"]]).toEqual([
    Code.ResourceExhausted,
    encodeURIComponent("Too many rows to store of this application"),
  ]);
});

test("health needs no key, and a running request ends before the port does", async () => {
  const running = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const { send, grpc, port } = await portWith(async (request) => {
    running.resolve();
    await finish.promise;
    return echo(request);
  });
  const check = await send("/grpc.health.v1.Health/Check", Buffer.alloc(0), {});
  expect([check.status, check.payload]).toEqual([0, Buffer.from([8, 1])]);
  const answer = send(path, message, credentials);
  await running.promise;
  const closed = grpc.close(10_000);
  const refused = connect(Number(port), "127.0.0.1");
  await once(refused, "error");
  finish.resolve();
  expect((await answer).status).toBe(0);
  await closed;
});
