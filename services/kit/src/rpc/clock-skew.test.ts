// Clocks of callers and services that differ: tokens that are refused because of their time, and processes that refuse
// work.

import { createClient } from "@connectrpc/connect";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { capturedLog, fixedClock, testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import { afterEach, expect, test } from "vitest";
import type { Clock } from "../clock.ts";
import { Code } from "../errors.ts";
import { endpoints } from "./endpoints.ts";
import { type GrpcTransport, grpcTransport } from "./grpc-client.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc, type RpcListener } from "./listen.ts";
import { mount } from "./service.ts";
import { callerTokens } from "./tokens/sign.ts";
import { authenticator } from "./tokens/verify.ts";

const hourMs = 3_600_000;
const gateway = testCaller("gateway");
const publicKeys = new Map([["gateway", [gateway.publicKey]]]);
const callers = ["gateway"];
const listeners: RpcListener[] = [];
const transports: GrpcTransport[] = [];
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close();
  for (const listener of listeners.splice(0)) await listener.close(0);
});

/** Starts a service with the clock `clock`, and counts the calls that reach its handlers. */
async function service(clock: Clock) {
  const made = { calls: 0, refusals: () => text().match(/caller refused/g)?.length ?? 0 };
  const { log, text } = capturedLog();
  const unused = () => Promise.reject(new Error("unused in this test"));
  const users = mount(UserService, {
    listUsers: unused,
    getUser: unused,
    batchGetUsers: unused,
    createUser: async ({ name }) => {
      made.calls += 1;
      return { data: { id: name, name } };
    },
  });
  const authenticate = authenticator({ audience: "identity", callers, publicKeys, log, clock });
  const served = endpoints([users], serviceInterceptors({ callers, log, clock }));
  const listener = await listenRpc(served, authenticate, "127.0.0.1", 0);
  listeners.push(listener);
  return Object.assign(made, { address: `127.0.0.1:${listener.port}` });
}

/** Creates a gateway's client with the clock `clock`. */
function createCaller(address: string, clock: Clock) {
  const { log } = capturedLog();
  const transport = grpcTransport(address, callerTokens("gateway", gateway.privateKey, clock)("identity"), log);
  transports.push(transport);
  const client = createClient(UserService, transport);
  const tenant = testTenant();
  const create = () => client.createUser({ name: "a" }, testCall(tenant, 5_000)).catch((error) => error);
  return { transport, create };
}

test.each([hourMs, -hourMs])("a token that was signed with a clock off by %d ms is replaced once", async (ms) => {
  const [right, own] = [fixedClock(), fixedClock()];
  const identity = await service(right);
  const { create } = createCaller(identity.address, own);
  own.advance(ms);
  expect(await create()).toMatchObject({ code: Code.Unavailable });
  // The service refused both the first token and its replacement.
  expect([identity.calls, identity.refusals()]).toEqual([0, 2]);
  own.advance(-ms);
  const answers = await Promise.all(Array.from({ length: 20 }, create));
  expect(answers.filter(({ data }) => data?.name !== "a")).toEqual([]);
  expect(identity.calls).toBe(20);
  const refusals = identity.refusals();
  expect(await create()).toMatchObject({ data: { name: "a" } });
  expect(identity.refusals()).toBe(refusals);
});

test("a token that is refused for another reason is not replaced", async () => {
  const identity = await service(fixedClock());
  const { log } = capturedLog();
  const stranger = callerTokens("gateway", testCaller("gateway").privateKey, fixedClock());
  const transport = grpcTransport(identity.address, stranger("identity"), log);
  transports.push(transport);
  const client = createClient(UserService, transport);
  await expect(client.createUser({ name: "a" }, testCall(testTenant(), 5_000))).rejects.toThrow();
  expect(identity.refusals()).toBe(1);
});

test("a service with a wrong clock runs nothing and sends a retry delay; another address runs the call", async () => {
  const right = fixedClock();
  const skewed = { ...fixedClock(), skewMs: hourMs };
  const wrong = await service(skewed);
  const refused = await createCaller(wrong.address, right).create();
  expect(refused).toMatchObject({ code: Code.Unavailable, rawMessage: "Service unavailable" });
  expect(refused.metadata.get("retry-after")).toBe("1");
  const other = await service(right);
  // Without an idempotency key, the call may be repeated because nothing was run.
  const { create } = createCaller(`${wrong.address},${other.address}`, right);
  for (let made = 1; made <= 4; made++) expect(await create()).toMatchObject({ data: { name: "a" } });
  expect([wrong.calls, other.calls]).toEqual([0, 4]);
});

test("a health response contains the service's time, without a token", async () => {
  const identity = await service(fixedClock());
  const { transport } = createCaller(identity.address, fixedClock());
  const beforeMs = Date.now();
  const { referenceMs, askedMs, answeredMs } = await transport.readClock();
  expect(referenceMs).toBeGreaterThanOrEqual(beforeMs);
  expect(referenceMs).toBeLessThanOrEqual(Date.now());
  expect(answeredMs).toBeGreaterThan(askedMs);
  await expect(createCaller("127.0.0.1:1", fixedClock()).transport.readClock()).rejects.toThrow("sent no time");
});
