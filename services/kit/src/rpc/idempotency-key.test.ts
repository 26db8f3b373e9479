import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import { afterAll, describe, expect, test } from "vitest";
import { Code } from "../errors.ts";
import { createLog } from "../log.ts";
import type { Call } from "./call.ts";
import { endpoints } from "./endpoints.ts";
import { grpcTransport } from "./grpc-client.ts";
import { readIdempotencyKey, writeIdempotencyKey } from "./idempotency-key.ts";
import { inProcessTransport } from "./in-process.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc } from "./listen.ts";
import { mount } from "./service.ts";
import { authenticator } from "./tokens/verify.ts";

test.each([
  [undefined, {}],
  ["abc", { key: "abc" }],
  ['"abc"', { key: "abc" }],
  ['a"b', { key: 'a"b' }],
  ["x".repeat(255), { key: "x".repeat(255) }],
])("%s is parsed", (header, read) => {
  expect(readIdempotencyKey(header)).toEqual(read);
});

test.each([[""], ['""'], ["a b"], ["ü"], ["x".repeat(256)], [["a", "b"]]])("%s is an issue", (header) => {
  expect(readIdempotencyKey(header).issue).toMatchObject({ code: "invalid_string", path: ["Idempotency-Key"] });
});

test.each(["abc", '"abc"', 'a"b', '"'])("the key %s is parsed as it was written", (key) => {
  expect(readIdempotencyKey(writeIdempotencyKey(key))).toEqual({ key });
});

let seen: Call | undefined;
const look = async (_request: unknown, call: Call) => {
  seen = call;
  return {};
};
const [gateway, log] = [testCaller("gateway"), createLog("test", "silent")];
const mounts = [mount(UserService, { listUsers: look, getUser: look, createUser: look, batchGetUsers: look })];
const served = endpoints(mounts, serviceInterceptors({ callers: ["gateway"], log }));
const publicKeys = new Map([["gateway", [gateway.publicKey]]]);
const authenticate = authenticator({ audience: "identity", callers: ["gateway"], publicKeys, log });
const listener = await listenRpc(served, authenticate, "127.0.0.1", 0);
const overGrpc = grpcTransport(`127.0.0.1:${listener.port}`, gateway.tokensFor("identity"), log);
const authorization = await gateway.tokensFor("identity")(testTenant());
afterAll(async () => {
  overGrpc.close();
  await listener.close(0);
});

describe.each([
  ["in process", inProcessTransport(() => served, "gateway")],
  ["gRPC", overGrpc],
  ["Connect", createConnectTransport({ baseUrl: `http://127.0.0.1:${listener.port}`, httpVersion: "1.1" })],
])("%s", (_way, transport) => {
  const client = createClient(UserService, transport);
  const keyed = (key: string) => {
    const call = testCall(testTenant());
    return { ...call, headers: { ...call.headers, authorization, "idempotency-key": key } };
  };

  test.each(["once", "x".repeat(255)])("a key arrives, bare or quoted: %.10s", async (key) => {
    for (const sent of [key, `"${key}"`]) {
      await client.createUser({ name: "a" }, keyed(sent));
      expect(seen?.idempotency?.key).toBe(key);
    }
  });

  test.each(["", '""', "two words", "x".repeat(7_000)])("a malformed key is rejected: %.10s", async (key) => {
    seen = undefined;
    await expect(client.createUser({ name: "a" }, keyed(key))).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "Idempotency-Key must be 1-255 visible ASCII characters",
    });
    expect(seen).toBeUndefined();
    // A read is repeatable without a key, also over HTTP.
    await client.getUser({ id: "a" }, keyed(key));
    expect(seen).toBeDefined();
  });
});
