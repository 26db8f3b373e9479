// Several processes behind one name: calls are balanced over them, without those that cannot respond.

import { createClient } from "@connectrpc/connect";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import { afterEach, expect, test } from "vitest";
import { Code, isUnanswered, notFound, unavailable } from "../errors.ts";
import { createLog } from "../log.ts";
import type { NameResolution } from "./addresses.ts";
import { endpoints } from "./endpoints.ts";
import { grpcTransport } from "./grpc-client.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc, type RpcListener } from "./listen.ts";
import { mount } from "./service.ts";
import { authenticator } from "./tokens/verify.ts";

const [gateway, log] = [testCaller("gateway"), createLog("test", "silent")];
const authenticate = authenticator({
  audience: "identity",
  callers: ["gateway"],
  publicKeys: new Map([["gateway", [gateway.publicKey]]]),
  log,
});
const tenant = testTenant();
const listeners: RpcListener[] = [];
const transports: ReturnType<typeof grpcTransport>[] = [];
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close();
  for (const listener of listeners.splice(0)) await listener.close(0);
});

interface Peer {
  readonly listener: RpcListener;
  /** Number of calls whose handler was started. */
  calls: number;
  answer: () => Promise<void>;
}

async function peer(host = "127.0.0.1", port = 0): Promise<Peer> {
  const made = { calls: 0, answer: async () => undefined };
  const work = async (name: string) => {
    made.calls += 1;
    await made.answer();
    return { id: name, name };
  };
  const mounts = [
    mount(UserService, {
      listUsers: () => Promise.reject(new Error("unused in this test")),
      getUser: async ({ id }) => ({ data: await work(id) }),
      createUser: async ({ name }) => ({ data: await work(name) }),
      batchGetUsers: async ({ ids: [id = ""] }) => ({ users: [await work(id)] }),
    }),
  ];
  const listener = await listenRpc(
    endpoints(mounts, serviceInterceptors({ callers: ["gateway"], log })),
    authenticate,
    host,
    port,
  );
  listeners.push(listener);
  return Object.assign(made, { listener });
}

function createTestClient(address: string, resolution?: NameResolution) {
  const transport = grpcTransport(address, gateway.tokensFor("identity"), log, { resolution });
  transports.push(transport);
  return createClient(UserService, transport);
}

const joinAddresses = (...peers: Peer[]) => peers.map(({ listener }) => `127.0.0.1:${listener.port}`).join(",");
const call = (timeoutMs = 5_000) => testCall(tenant, timeoutMs);

/** Waits until every address has its session, so that calls go to all. */
async function connected(client: ReturnType<typeof createTestClient>, ...peers: Peer[]): Promise<void> {
  await expect
    .poll(async () => {
      await client.batchGetUsers({ ids: ["a"] }, call());
      return peers.every(({ calls }) => calls > 0);
    })
    .toBe(true);
  for (const target of peers) target.calls = 0;
}

test("calls spread over three processes, and one of them drains under load without errors", async () => {
  const peers = [await peer(), await peer(), await peer()] as const;
  const client = createTestClient(joinAddresses(...peers));
  await connected(client, ...peers);
  const lane = async (count: number) => {
    for (let made = 0; made < count; made += 1) await client.createUser({ name: "a" }, call());
  };
  await Promise.all(Array.from({ length: 10 }, () => lane(60)));
  for (const { calls } of peers) expect(Math.abs(calls - 200)).toBeLessThanOrEqual(20);

  const running = Promise.all(Array.from({ length: 10 }, () => lane(150)));
  const closed = peers[0].listener.close(60_000).then(() => peers[0].calls);
  const [before] = await Promise.all([closed, running]);
  expect(peers[0].calls).toBe(before);
  expect(peers.reduce((sum, { calls }) => sum + calls, 0)).toBe(600 + 1_500);
});

test("an address added to the name gets calls, a removed one gets none", async () => {
  const first = await peer("127.0.0.2");
  const { port } = first.listener;
  let hosts = ["127.0.0.2"];
  const client = createTestClient(`mesh.test:${port}`, { lookup: async () => hosts, everyMs: 100 });
  await client.batchGetUsers({ ids: ["a"] }, call());
  const second = await peer("127.0.0.3", port);
  hosts = ["127.0.0.2", "127.0.0.3"];
  await expect
    .poll(async () => {
      await client.batchGetUsers({ ids: ["a"] }, call());
      return second.calls;
    })
    .toBeGreaterThan(0);
  hosts = ["127.0.0.3"];
  await first.listener.close(1_000);
  for (let made = 0; made < 10; made += 1) await client.createUser({ name: "a" }, call());
});

test("a name that cannot be resolved does not affect the other names", async () => {
  const only = await peer();
  const lookup = () => Promise.reject(new Error("no such name"));
  const client = createTestClient(`missing.test:1,${joinAddresses(only)}`, { lookup, everyMs: 100 });
  for (let made = 0; made < 3; made += 1) await client.createUser({ name: "a" }, call());
  expect(only.calls).toBe(3);
});

test("idempotent calls are retried at the next address; others fail", async () => {
  const peers = [await peer(), await peer()] as const;
  const [first, second] = peers;
  const client = createTestClient(joinAddresses(...peers));
  const fail = async () => {
    throw unavailable("No connection is free");
  };
  const outcomes = async (send: () => Promise<unknown>) => {
    const found = await Promise.allSettled([send(), send()]);
    return found.map(({ status }) => status).sort();
  };
  const keyed = () => ({ ...call(), headers: { ...call().headers, "idempotency-key": "once" } });

  await connected(client, ...peers);
  first.answer = fail;
  expect(await outcomes(() => client.createUser({ name: "a" }, call()))).toEqual(["fulfilled", "rejected"]);
  // The address is ejected for a while.
  first.calls = 0;
  for (let made = 0; made < 6; made += 1) await client.createUser({ name: "a" }, call());
  expect(first.calls).toBe(0);

  const another = createTestClient(joinAddresses(...peers));
  first.answer = async () => undefined;
  await connected(another, ...peers);
  first.answer = fail;
  expect(await outcomes(() => another.createUser({ name: "a" }, keyed()))).toEqual(["fulfilled", "fulfilled"]);
  // If no address can respond, the call fails after the second attempt.
  second.answer = fail;
  [first.calls, second.calls] = [0, 0];
  await expect(another.getUser({ id: "a" }, call())).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: "No connection is free",
  });
  expect(first.calls + second.calls).toBe(2);
});

test("other errors neither eject nor retry", async () => {
  const peers = [await peer(), await peer()] as const;
  const client = createTestClient(joinAddresses(...peers));
  await connected(client, ...peers);
  for (const target of peers) {
    target.answer = async () => {
      throw notFound("User");
    };
  }
  for (let made = 0; made < 20; made += 1) {
    await expect(client.getUser({ id: "a" }, call())).rejects.toMatchObject({ code: Code.NotFound });
  }
  for (const { calls } of peers) expect(calls).toBe(10);
});

test("a call that its caller cancels does not eject the address", async () => {
  const peers = [await peer(), await peer()] as const;
  const client = createTestClient(joinAddresses(...peers));
  await connected(client, ...peers);
  const canceled = new AbortController();
  for (const target of peers) {
    target.answer = () => new Promise(() => undefined);
  }
  const calls = [1, 2].map(() => client.createUser({ name: "a" }, { ...call(), signal: canceled.signal }));
  await expect.poll(() => peers.map(({ calls: made }) => made)).toEqual([1, 1]);
  canceled.abort();
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: Code.Canceled } });
  }
  for (const target of peers) target.answer = async () => undefined;
  for (let made = 0; made < 10; made += 1) await client.createUser({ name: "a" }, call());
  expect(peers.map(({ calls: made }) => made)).toEqual([6, 6]);
});

test("a call without a response is distinguished from an error response", async () => {
  const target = await peer();
  const client = createTestClient(joinAddresses(target));
  const failure = (timeoutMs?: number) => client.createUser({ name: "a" }, call(timeoutMs)).catch((error) => error);
  target.answer = async () => {
    throw unavailable();
  };
  expect(isUnanswered(await failure())).toBe(false);
  target.answer = () => new Promise(() => undefined);
  // Long enough for the call to be sent on any machine: a call that was not sent counts as unanswered.
  const late = await failure(2_000);
  expect([late.code, isUnanswered(late)]).toEqual([Code.DeadlineExceeded, false]);
  const running = failure();
  await target.listener.close(0);
  expect(isUnanswered(await running)).toBe(true);
  expect(isUnanswered(await failure(1_000))).toBe(true);
});
