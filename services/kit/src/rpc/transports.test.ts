// Runs one suite over three transports: function call, gRPC, and Connect on HTTP/1.1.

import { promisify } from "node:util";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import grpc from "@grpc/grpc-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { Code, notFound, rateLimited, unavailable } from "../errors.ts";
import { createLog } from "../log.ts";
import { type Call, tenantKey } from "./call.ts";
import { type Endpoint, endpoints } from "./endpoints.ts";
import { grpcTransport } from "./grpc-client.ts";
import { inProcessTransport } from "./in-process.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc, type RpcListener } from "./listen.ts";
import { mount } from "./service.ts";
import type { Authorize } from "./tokens/sign.ts";
import { authenticator } from "./tokens/verify.ts";

const [gateway, experiments] = [testCaller("gateway"), testCaller("experiments")];
const [callers, log] = [["gateway"], createLog("test", "silent")];
const publicKeys = new Map([gateway, experiments].map(({ name, publicKey }) => [name, [publicKey]]));
const authenticate = authenticator({ audience: "identity", callers, publicKeys, log });
const asGateway = gateway.tokensFor("identity");
const tenant = testTenant();
let answer: (ids: string[], call: Call) => Promise<string[]>;
let seen: Call | undefined;

const unasked = () => Promise.reject(new Error("unused in this test"));
const served: Endpoint[] = endpoints(
  [
    mount(UserService, {
      listUsers: unasked,
      getUser: unasked,
      createUser: unasked,
      batchGetUsers: async ({ ids }, call) => {
        seen = call;
        return { users: (await answer(ids, call)).map((id) => ({ id, name: id })) };
      },
    }),
  ],
  serviceInterceptors({ callers, log }),
);

let listener: RpcListener;
beforeAll(async () => {
  listener = await listenRpc(served, authenticate, "127.0.0.1", 0);
});
afterAll(() => listener.close(1_000));
beforeEach(() => {
  answer = async (ids) => ids;
});

type Connect = (name: string, authorize: Authorize) => Transport;
const overWire = {
  gRPC: (_name: string, authorize: Authorize) => {
    const transport = grpcTransport(`127.0.0.1:${listener.port}`, authorize, log);
    afterAll(() => transport.close());
    return transport;
  },
  "Connect over HTTP/1.1": (_name: string, authorize: Authorize) => {
    const transport = createConnectTransport({
      baseUrl: `http://127.0.0.1:${listener.port}`,
      httpVersion: "1.1",
      interceptors: [
        (next) => async (request) => {
          request.header.set("authorization", await authorize(request.contextValues.get(tenantKey)));
          return next(request);
        },
      ],
    });
    return transport;
  },
};

const ways: Record<string, Connect> = { "in process": (name) => inProcessTransport(() => served, name), ...overWire };

describe.each(Object.entries(ways))("%s", (_name, connect) => {
  const client = ({ name, tokensFor } = gateway) => createClient(UserService, connect(name, tokensFor("identity")));

  test("message, tenant, request id, caller and deadline arrive, and the response returns", async () => {
    const options = testCall({ ...tenant, userId: "Åsa / 100%" });
    const { users } = await client().batchGetUsers({ ids: ["a", "ß"] }, options);
    expect(users.map(({ name }) => name)).toEqual(["a", "ß"]);
    expect(seen?.tenant).toEqual({ ...tenant, userId: "Åsa / 100%" });
    expect(seen?.requestId).toBe(options.headers["x-request-id"]);
    expect(seen?.caller).toBe("gateway");
    const leftMs = (seen?.deadlineMs ?? 0) - monotonicMs();
    expect([leftMs > 0, leftMs <= options.timeoutMs]).toEqual([true, true]);
  });

  test("a tenant with an implied application arrives as such", async () => {
    const implied = { ...tenant, isApplicationImplied: true } as const;
    await client().batchGetUsers({ ids: ["a"] }, testCall(implied));
    expect(seen?.tenant).toEqual(implied);
  });

  test("an error arrives with its code and message", async () => {
    answer = () => Promise.reject(notFound("User"));
    await expect(client().batchGetUsers({ ids: ["a"] }, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "User not found",
    });
  });

  test("an error whose message ends in half a surrogate pair arrives", async () => {
    answer = () => Promise.reject(notFound("😀".slice(0, 1)));
    await expect(client().batchGetUsers({ ids: ["a"] }, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: expect.stringMatching(/^.+ not found$/),
    });
  });

  test("an error arrives with its rate limit headers", async () => {
    const headers = { ratelimit: '"key";r=0;t=7', "ratelimit-policy": '"key";q=60;w=60' };
    answer = () => Promise.reject(rateLimited("key", "Too many requests with this API key", 6_500, headers));
    const error = await client()
      .batchGetUsers({ ids: ["a"] }, testCall(tenant))
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: Code.ResourceExhausted, rawMessage: "Too many requests with this API key" });
    expect(error.metadata.get("retry-after")).toBe("7");
    expect(error.metadata.get("ratelimit")).toBe('"key";r=0;t=7');
    expect(error.metadata.get("ratelimit-policy")).toBe('"key";q=60;w=60');

    answer = () => Promise.reject(unavailable("Busy", undefined, 3_000));
    const busy = await client()
      .batchGetUsers({ ids: ["a"] }, testCall(tenant))
      .catch((thrown) => thrown);
    expect([busy.code, busy.metadata.get("retry-after")]).toEqual([Code.Unavailable, "3"]);
  });

  test("an invalid request arrives with every violation", async () => {
    const error = await client()
      .batchGetUsers({ ids: ["", "x".repeat(256)] }, testCall(tenant))
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: "Invalid request data" });
    const [details] = error.findDetails(ViolationsSchema);
    expect(details.violations.map((call: { ruleId: string }) => call.ruleId)).toEqual([
      "string.min_len",
      "string.max_len",
    ]);
  });

  test("an internal error arrives without its cause", async () => {
    answer = () => Promise.reject(new Error("secret detail"));
    await expect(client().batchGetUsers({ ids: ["a"] }, testCall(tenant))).rejects.toMatchObject({
      code: Code.Internal,
      rawMessage: "Internal server error",
    });
  });

  test("a call without a deadline is refused", async () => {
    const { headers } = testCall(tenant);
    await expect(client().batchGetUsers({ ids: ["a"] }, { headers })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  });

  test("a call without a tenant is refused when the handler reads the tenant", async () => {
    answer = async (_ids, call) => [call.tenant.orgId];
    await expect(client().batchGetUsers({ ids: ["a"] }, { timeoutMs: 5_000 })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  });

  test("a caller that the table does not list is refused", async () => {
    seen = undefined;
    await expect(client(experiments).batchGetUsers({ ids: ["a"] }, testCall(tenant))).rejects.toThrow();
    expect(seen).toBeUndefined();
  });

  test("a call ends on both sides at its deadline", async () => {
    let [begun, aborted] = [0, 0];
    answer = (_ids, call) => {
      begun += 1;
      return new Promise((_resolve, reject) =>
        call.signal.addEventListener("abort", () => {
          aborted += 1;
          reject(call.signal.reason);
        }),
      );
    };
    const impatient = client();
    // On a slow machine the deadline may pass before the call arrives.
    while (begun === 0) {
      await expect(impatient.batchGetUsers({ ids: ["a"] }, testCall(tenant, 100))).rejects.toMatchObject({
        code: Code.DeadlineExceeded,
      });
    }
    await expect.poll(() => aborted).toBe(begun);
  });

  test("a cancelled call ends on both sides", async () => {
    const controller = new AbortController();
    const aborted = new Promise<unknown>((resolve) => {
      answer = (_ids, call) =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener("abort", () => {
            resolve(call.signal.reason);
            reject(call.signal.reason);
          });
          controller.abort();
        });
    });
    await expect(
      client().batchGetUsers({ ids: ["a"] }, { ...testCall(tenant), signal: controller.signal }),
    ).rejects.toMatchObject({ code: Code.Canceled });
    expect(await aborted).not.toMatchObject({ code: Code.DeadlineExceeded });
  });
});

test.each([
  ["gRPC", overWire.gRPC, Code.Unavailable],
  ["Connect over HTTP/1.1", overWire["Connect over HTTP/1.1"], Code.Unauthenticated],
] as const)("over %s a caller without a valid token is refused", async (_name, connect, code) => {
  const impostor = testCaller("gateway").tokensFor("identity");
  for (const authorize of [() => "", () => "Bearer x.y.z", impostor, gateway.tokensFor("catalog")]) {
    const client = createClient(UserService, connect("gateway", authorize));
    seen = undefined;
    await expect(client.batchGetUsers({ ids: ["a"] }, testCall(tenant))).rejects.toMatchObject({ code });
    expect(seen).toBeUndefined();
  }
});

test("a missing process, or one that dies during a call, is unavailable", async () => {
  const own = await listenRpc(served, authenticate, "127.0.0.1", 0);
  const transport = grpcTransport(`127.0.0.1:${own.port}`, asGateway, log);
  const client = createClient(UserService, transport);
  await client.batchGetUsers({ ids: ["a"] }, testCall(tenant));
  const started = new Promise<void>((resolve) => {
    answer = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  const running = client.batchGetUsers({ ids: ["a"] }, testCall(tenant)).catch((thrown) => thrown);
  await started;
  await own.close(0);
  expect(await running).toMatchObject({ code: Code.Unavailable });
  await expect(client.batchGetUsers({ ids: ["a"] }, testCall(tenant, 2_000))).rejects.toMatchObject({
    code: Code.Unavailable,
  });
  transport.close();
});

test("a deadline that the callee reports first counts as a response", async () => {
  const server = new grpc.Server();
  const same = (bytes: Buffer) => bytes;
  const [requestDeserialize, responseSerialize] = [same, same];
  const shape = { requestStream: false, responseStream: false, requestSerialize: same, responseDeserialize: same };
  const path = `/${UserService.typeName}/${UserService.method.batchGetUsers.name}`;
  const late = { code: grpc.status.DEADLINE_EXCEEDED, details: "Deadline exceeded" };
  server.addService(
    { late: { path, requestDeserialize, responseSerialize, ...shape } },
    { late: (_call: unknown, answered: (error: object) => void) => answered(late) },
  );
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
  const transport = grpcTransport(`127.0.0.1:${port}`, asGateway, log);
  const running = createClient(UserService, transport).batchGetUsers({ ids: ["a"] }, testCall(tenant));
  await expect(running).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  transport.close();
  server.forceShutdown();
});

test("over gRPC, the signal of an answered call is not aborted", async () => {
  const transport = grpcTransport(`127.0.0.1:${listener.port}`, asGateway, log);
  const client = createClient(UserService, transport);
  await client.batchGetUsers({ ids: ["a"] }, testCall(tenant));
  const answered = seen;
  // The first call's stream is closed at both ends by the time that later calls have responses.
  for (let at = 0; at < 3; at += 1) await client.batchGetUsers({ ids: ["a"] }, testCall(tenant));
  expect(answered?.signal.aborted).toBe(false);
  transport.close();
});

test("closing waits for a running call", async () => {
  const own = await listenRpc(served, authenticate, "127.0.0.1", 0);
  const transport = grpcTransport(`127.0.0.1:${own.port}`, asGateway, log);
  let finish = () => {};
  const started = new Promise<void>((resolve) => {
    answer = (ids) => {
      resolve();
      return new Promise((done) => {
        finish = () => done(ids);
      });
    };
  });
  const running = createClient(UserService, transport).batchGetUsers({ ids: ["a"] }, testCall(tenant));
  await started;
  const closed = own.close(5_000);
  finish();
  expect((await running).users).toHaveLength(1);
  transport.close();
  await closed;
});
