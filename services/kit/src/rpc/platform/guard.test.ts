// Calls of platform callers over gRPC, with tenants that the test resolves.

import { createClient } from "@connectrpc/connect";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { BadRequestSchema, RetryInfoSchema } from "@ems/proto/google/rpc/error_details";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { capturedLog, stopClock } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import grpc from "@grpc/grpc-js";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { monotonicMs } from "../../clock.ts";
import { Code, type ConnectError, getReason, unavailable } from "../../errors.ts";
import { newId } from "../../id.ts";
import type { Call } from "../call.ts";
import { endpoints } from "../endpoints.ts";
import { grpcTransport } from "../grpc-client.ts";
import { serviceInterceptors } from "../interceptors.ts";
import { listenRpc } from "../listen.ts";
import { mount } from "../service.ts";
import { platformToken } from "../tokens/sign.ts";
import { authenticator } from "../tokens/verify.ts";
import type { PlatformCaller } from "./callers.ts";
import { guarded } from "./guard.ts";
import { type FoundTenant, foundMs, type NamedTenant, Tenants, unknownMs } from "./tenants.ts";

const [applicationId, userId] = [newId(), "Åsa / 100 %"];
const { publicKey, privateKey } = testCaller("billing");
const { log, text } = capturedLog();
const billing: PlatformCaller = {
  name: "billing",
  keys: [publicKey],
  rpcs: new Set(["ListUsers", "GetUser", "CreateUser"].map((name) => `${UserService.typeName}/${name}`)),
  organizations: ["*"],
  tokenMinutesMax: 60,
  rate: { perMinute: 60_000, burst: 1_000, inFlightMax: 2 },
};
const callers = new Map([["billing", billing]]);

let requested: NamedTenant[][] = [];
let find: (tenants: readonly NamedTenant[]) => Promise<FoundTenant[]>;
let handle: (call: Call) => Promise<unknown>;
let seen: Call | undefined;
beforeEach(() => {
  requested = [];
  find = async (tenants) => tenants.map(() => ({ organizationId: "acme", hasUser: true }));
  handle = async () => ({});
  seen = undefined;
});
const work = async (_request: unknown, call: Call) => {
  seen = call;
  return (await handle(call)) as object;
};
const mounts = [mount(UserService, { listUsers: work, getUser: work, createUser: work, batchGetUsers: work })];
const served = endpoints(mounts, serviceInterceptors({ callers: ["billing"], log }));
const lookUp = (tenants: readonly NamedTenant[]) => {
  requested.push([...tenants]);
  return find(tenants);
};
const deps = { callers, newId, log };
const listen = (tenants: Tenants) =>
  listenRpc(
    guarded(served, { ...deps, tenants }),
    authenticator({ audience: "identity", callers: [], publicKeys: new Map(), platform: callers, log }),
    "127.0.0.1",
    0,
  );
const listener = await listen(new Tenants(lookUp));
const token = await platformToken("billing", privateKey, ["identity"], 600);
const transport = grpcTransport(`127.0.0.1:${listener.port}`, () => `Bearer ${token}`, log);
const client = createClient(UserService, transport);
afterAll(async () => {
  transport.close();
  await listener.close(0);
});

/** A tenant that no other test uses. */
const fresh = () => ({ "x-application-id": newId(), "x-user-id": "ada" });
const failed = async (running: Promise<unknown>) => {
  const error: ConnectError = await running.then(
    () => Promise.reject(new Error("it succeeded")),
    (thrown) => thrown,
  );
  return { code: error.code, reason: getReason(error), message: error.rawMessage };
};

test("a tenant's ids with any characters arrive in binary headers and are looked up once", async () => {
  const base64 = (id: string) => Buffer.from(id).toString("base64");
  const encoded = { "x-application-id": applicationId.toUpperCase(), "x-user-id-bin": base64(userId) };
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  metadata.set("x-application-id", encoded["x-application-id"]);
  metadata.set("x-user-id-bin", Buffer.from(userId));
  metadata.set("x-organization-id-bin", Buffer.from("acme"));
  const raw = new grpc.Client(`127.0.0.1:${listener.port}`, grpc.credentials.createInsecure());
  for (let sent = 0; sent < 3; sent += 1) {
    await new Promise<void>((resolve, reject) =>
      raw.makeUnaryRequest(
        `/${UserService.typeName}/ListUsers`,
        () => Buffer.alloc(0),
        () => undefined,
        {},
        metadata,
        (error) => (error ? reject(error) : resolve()),
      ),
    );
  }
  raw.close();
  expect(seen?.tenant).toEqual({ orgId: "acme", applicationId, userId });
  expect(requested).toEqual([[{ organizationId: "acme", applicationId, userId }]]);
});

test.each([
  ["x-application-id", { "x-user-id": "ada" }, "TENANT_MISSING"],
  ["x-user-id", { "x-application-id": applicationId }, "TENANT_MISSING"],
  ["x-application-id", { "x-application-id": "support", "x-user-id": "ada" }, "METADATA_INVALID"],
  ["x-user-id", { "x-application-id": applicationId, "x-user-id": "a".repeat(256) }, "METADATA_INVALID"],
  ["x-user-id", { "x-application-id": applicationId, "x-user-id": "" }, "METADATA_INVALID"],
])("the error names %s if it is wrong: %o", async (name, headers, reason) => {
  const error = await failed(client.listUsers({}, { headers: headers as Record<string, string> }));
  expect(error).toMatchObject({ code: Code.InvalidArgument, reason, message: expect.stringContaining(name) });
  expect([seen, requested]).toEqual([undefined, []]);
});

test("the error names an unknown application or user, and the call is not handled", async () => {
  for (const [found, name] of [
    [{ hasUser: false }, "x-application-id"],
    [{ organizationId: "acme", hasUser: false }, "x-user-id"],
  ] as const) {
    find = async (tenants) => tenants.map(() => found);
    const error = await failed(client.listUsers({}, { headers: fresh() }));
    expect(error).toMatchObject({ reason: "TENANT_UNKNOWN", message: expect.stringContaining(`${name} names no`) });
  }
  expect([seen, requested.length]).toEqual([undefined, 2]);
});

test("a call without a deadline gets one, and a long deadline is limited", async () => {
  for (const timeoutMs of [undefined, 3_600_000]) {
    await client.listUsers({}, { headers: fresh(), ...(timeoutMs !== undefined && { timeoutMs }) });
    expect((seen?.deadlineMs ?? 0) - monotonicMs()).toBeLessThanOrEqual(10_000);
  }
  await client.listUsers({}, { headers: fresh(), timeoutMs: 3_000 });
  expect((seen?.deadlineMs ?? 0) - monotonicMs()).toBeLessThanOrEqual(3_000);
});

test("a response too large for gRPC clients is an error that names a limit that fits", async () => {
  const data = Array.from({ length: 100 }, () => ({ id: "a", name: "x".repeat(100_000) }));
  handle = async () => ({ data });
  const error = await failed(client.listUsers({ limit: 100 }, { headers: fresh() }));
  expect(error).toMatchObject({ code: Code.ResourceExhausted, reason: "ANSWER_TOO_LARGE" });
  expect(error.message).toMatch(/a limit of 4\d fits/);
});

test("a caller above its concurrent calls is refused until one has ended", async () => {
  const ends: (() => void)[] = [];
  handle = () => new Promise((resolve) => ends.push(() => resolve({})));
  const running = [0, 1].map(() => client.listUsers({}, { headers: fresh() }));
  await expect.poll(() => ends.length).toBe(2);
  const refused = await client.listUsers({}, { headers: fresh() }).catch((thrown) => thrown);
  expect(getReason(refused)).toBe("CONCURRENCY_LIMITED");
  expect(refused.findDetails(RetryInfoSchema)).toHaveLength(1);
  for (const end of ends) end();
  await Promise.all(running);
  handle = async () => ({});
  await client.listUsers({}, { headers: fresh() });
});

test("text that cannot be stored is rejected with its field", async () => {
  const refused = [
    [client.listUsers({ search: "a\0" }, { headers: fresh() }), "search"],
    // Internal RPCs.
    [client.createUser({ id: "ada", name: "a\0" }, { headers: fresh() }), "name"],
  ] as const;
  for (const [call, field] of refused) {
    const error: ConnectError = await call.then(Promise.reject, (thrown) => thrown);
    expect([error.code, getReason(error)]).toEqual([Code.InvalidArgument, "RULES_VIOLATED"]);
    expect(error.findDetails(BadRequestSchema)[0]?.fieldViolations).toMatchObject([{ field }]);
  }
  expect(seen).toBeUndefined();
});

test("an RPC that is not allowed is refused and logged", async () => {
  const error = await failed(client.batchGetUsers({ ids: ["a"] }, { headers: fresh() }));
  expect(error).toMatchObject({ code: Code.PermissionDenied, reason: "CALLER_FORBIDDEN" });
  expect(text()).toContain("billing may not call ems.identity.v1.UserService/BatchGetUsers");
  await expect(createClient(TagService, transport).listTags({}, {})).rejects.toMatchObject({
    code: Code.Unimplemented,
  });
});

test("calls are refused while tenants cannot be looked up, and failures are not cached", async () => {
  const headers = fresh();
  for (const error of [unavailable(), new Error("a defect")]) {
    find = () => Promise.reject(error);
    expect(await failed(client.createUser({ name: "a" }, { headers }))).toMatchObject({ code: Code.Unavailable });
  }
  expect(seen).toBeUndefined();
  find = async (tenants) => tenants.map(() => ({ organizationId: "acme", hasUser: true }));
  await client.createUser({ name: "a" }, { headers });
});

describe("tenants", () => {
  const named = () => ({ applicationId: newId(), userId: "ada" });

  test("are cached for seconds, unknown ones for less", async () => {
    stopClock();
    try {
      const [tenants, tenant] = [new Tenants(lookUp), named()];
      const found = async () => (await tenants.find(tenant, "r")).hasUser;
      find = async () => [{ hasUser: false }];
      expect([await found(), await found(), requested.length]).toEqual([false, false, 1]);
      find = async () => [{ organizationId: "acme", hasUser: true }];
      vi.advanceTimersByTime(unknownMs + 1);
      expect([await found(), requested.length]).toEqual([true, 2]);
      find = async () => [{ organizationId: "acme", hasUser: false }];
      vi.advanceTimersByTime(foundMs - 1);
      expect([await found(), requested.length]).toEqual([true, 2]);
      vi.advanceTimersByTime(2);
      expect([await found(), requested.length]).toEqual([false, 3]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("of concurrent calls are looked up together, and each only once", async () => {
    const tenants = new Tenants(lookUp);
    const many = Array.from({ length: 150 }, named);
    await Promise.all([...many, ...many].map((tenant) => tenants.find(tenant, "r")));
    expect(requested.flat()).toHaveLength(150);
    expect(requested.length).toBeLessThanOrEqual(4);
  });
});
