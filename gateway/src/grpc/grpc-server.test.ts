// The gRPC port with fake services: accepted and rejected requests, and the shutdown.

import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { Code, rateLimited } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { expect, test } from "vitest";
import { credentials, openGateway } from "../../test/harness.ts";
import { openSession, rawCall } from "../../test/raw-call.ts";

const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

type Answer = (request: { payload: Uint8Array; contentType: string }) => Promise<{ payload: Uint8Array; rows: bigint }>;

async function portWith(answer: Answer, env: Record<string, string> = {}) {
  const gateway = await openGateway((router) => router.service(OtlpService, { exportTraces: answer }), env);
  const session = openSession(gateway.port);
  const send = (to: string, bytes: Uint8Array, headers: Record<string, string>, flag = 0) =>
    rawCall(session, to, bytes, headers, flag);
  return { ...gateway, session, send };
}

const echo: Answer = async ({ payload }) => ({ payload, rows: 1n });
// A message with three bytes in field 1, and a field that no version defines.
const message = Buffer.from([0x0a, 3, 1, 2, 3, 0x92, 0x3f, 1, 65]);

test("bytes reach the service and return unchanged, also when compressed", async () => {
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
  const json = await send(path, message, { ...credentials, "content-type": "application/grpc+json" });
  expect(json.headers[":status"]).toBe(415);
  expect((await send("/x.Y/Z", message, credentials)).status).toBe(Code.Unimplemented);
});

test("a rate limit states when to retry, a size limit does not", async () => {
  const { send } = await portWith(() => Promise.reject(rateLimited("ingest", "Too many rows", 3_000)));
  const limited = await send(path, message, credentials);
  expect([limited.status, limited.metadata["retry-after"]]).toEqual([Code.ResourceExhausted, "3"]);
  const details = Buffer.from(String(limited.metadata["grpc-status-details-bin"]), "base64").toString("latin1");
  expect(details).toContain("google.rpc.RetryInfo");

  const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024));
  const tooLarge = await send(path, bomb, { ...credentials, "grpc-encoding": "gzip" }, 1);
  expect(tooLarge.status).toBe(Code.ResourceExhausted);
  const reason = Buffer.from(String(tooLarge.metadata["grpc-status-details-bin"]), "base64").toString("latin1");
  expect(reason).toContain("REQUEST_TOO_LARGE");
  expect(reason).not.toContain("google.rpc.RetryInfo");
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
    encodeURIComponent("Too many ingested rows of this application"),
  ]);
});

test("health needs no key, and the port closes after running requests", async () => {
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
  const refused = connect(port, "127.0.0.1");
  await once(refused, "error");
  finish.resolve();
  expect((await answer).status).toBe(0);
  await closed;
});
