import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createRouterTransport } from "@connectrpc/connect";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { Code, unauthenticated, unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { fixedClock } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import { describe, expect, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { Authenticator, type Credentials } from "./authenticator.ts";
import { KeyOwners } from "./key-owners.ts";
import { Members } from "./members.ts";

const applicationId = newId();
/** Builds a well-formed key; equal numbers give equal keys. */
const buildKey = (number: number) => formKey(Buffer.alloc(keyBytes, `${number};`));
const owner = { keyId: newId(), applicationId, orgId: "org", userId: "ada", scopes: [] as string[] };

/** Creates an authenticator with a fake identity service. */
function setUp(env: Record<string, string> = {}) {
  const state = {
    /** Number of lookup calls; `keys` are the keys that were looked up. */
    calls: 0,
    keys: [] as string[],
    /** Keys that are always valid. */
    validKeys: new Set<string>(),
    answer: async (): Promise<typeof owner & { expiresAt?: Timestamp }> => owner,
  };
  const answer = (key: string) => {
    state.keys.push(key);
    return state.validKeys.has(key) ? Promise.resolve(owner) : state.answer();
  };
  const transport = createRouterTransport((router) =>
    router.service(ApiKeyService, {
      authenticate: ({ apiKey }) => {
        state.calls++;
        return answer(apiKey);
      },
      authenticateKeys: async ({ apiKeys }) => {
        state.calls++;
        const results = await Promise.allSettled(apiKeys.map(answer));
        return { results: results.map((result) => (result.status === "fulfilled" ? { owner: result.value } : {})) };
      },
    }),
  );
  const clock = fixedClock();
  const config = gatewayConfig({ ...testKeys, ...env });
  const keyOwners = new KeyOwners(config, clock, () => transport);
  const authenticator = new Authenticator(config, keyOwners, new Members(config, clock, () => transport));
  const defaults = { apiKey: buildKey(1), applicationId, address: "10.0.0.1", requestId: "r" };
  const send = (credentials: Partial<Credentials> = {}) => authenticator.tenant({ ...defaults, ...credentials });
  const sendOptional = (credentials: { apiKey?: string; applicationId?: string | undefined }) =>
    authenticator.tenant({ ...defaults, ...credentials }, { isApplicationOptional: true });
  return { state, clock, keyOwners, send, sendOptional };
}

const down = () => Promise.reject(unavailable());
const unknown = () => Promise.reject(unauthenticated());

describe("a cached key", () => {
  test("is cached for 5 s, revalidated in the background until 10 s, and looked up after that", async () => {
    const { state, clock, send } = setUp();
    expect(await send()).toMatchObject({ applicationId, orgId: "org", userId: "ada" });
    clock.advance(4_999);
    await send();
    expect(state.calls).toBe(1);
    clock.advance(1);
    await send();
    await expect.poll(() => state.calls).toBe(2);
    clock.advance(10_000);
    state.answer = unknown;
    await expect(send()).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(state.calls).toBe(3);
  });

  test("is looked up once for concurrent requests", async () => {
    const { state, send } = setUp();
    await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(state.calls).toBe(1);
  });

  test("is served stale for 60 s while identity is unreachable", async () => {
    const { state, clock, send } = setUp();
    await send();
    state.answer = down;
    clock.advance(59_999);
    await expect(send()).resolves.toMatchObject({ applicationId });
    clock.advance(1);
    await expect(send()).rejects.toMatchObject({ code: Code.Unavailable });
  });

  test("is removed when it is deleted, even while a lookup is in flight", async () => {
    const { state, keyOwners, send } = setUp();
    const slow = Promise.withResolvers<typeof owner>();
    state.answer = () => slow.promise;
    const onItsWay = send();
    await expect.poll(() => state.calls).toBe(1);
    keyOwners.forget(owner.keyId);
    slow.resolve(owner);
    await onItsWay;
    state.answer = unknown;
    await expect(send()).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test("is forbidden for another application", async () => {
    const { send } = setUp();
    await expect(send({ applicationId: newId() })).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});

test("a key that expires is refused from that moment on, even when cached or while identity is unreachable", async () => {
  const { state, clock, send } = setUp();
  state.answer = async () => ({ ...owner, expiresAt: timestampFromMs(clock.now().getTime() + 3_000) });
  await expect(send()).resolves.toMatchObject({ applicationId });
  state.answer = down;
  clock.advance(2_999);
  await expect(send()).resolves.toMatchObject({ applicationId });
  clock.advance(1);
  await expect(send()).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(state.calls).toBe(1);
});

describe("where the application is optional", () => {
  test("a request without an application uses the key's application, marked as implied", async () => {
    const { sendOptional } = setUp();
    for (const absent of [undefined, ""]) {
      expect(await sendOptional({ applicationId: absent })).toEqual({ ...owner, isApplicationImplied: true });
    }
  });

  test("a request that names the key's application is not marked as implied", async () => {
    const { send, sendOptional } = setUp();
    expect(await sendOptional({ applicationId })).toEqual(await send());
    expect(await send()).not.toHaveProperty("isApplicationImplied");
  });

  test("a request that names another application is forbidden", async () => {
    const { sendOptional } = setUp();
    await expect(sendOptional({ applicationId: newId() })).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test("a missing or unknown key is unauthenticated", async () => {
    const { state, sendOptional } = setUp();
    const refused = { code: Code.Unauthenticated };
    await expect(sendOptional({ apiKey: "", applicationId: undefined })).rejects.toMatchObject(refused);
    expect(state.calls).toBe(0);
    state.answer = unknown;
    await expect(sendOptional({ applicationId: undefined })).rejects.toMatchObject(refused);
  });
});

test("where the application is required, a request without one is unauthenticated", async () => {
  const { state, send } = setUp();
  await expect(send({ applicationId: "" })).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(state.calls).toBe(0);
});

describe("an unknown key", () => {
  test("is cached for 2 s", async () => {
    const { state, clock, send } = setUp();
    state.answer = unknown;
    await expect(send()).rejects.toMatchObject({ code: Code.Unauthenticated });
    clock.advance(1_999);
    await expect(send()).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(state.calls).toBe(1);
    clock.advance(1);
    state.answer = async () => owner;
    await expect(send()).resolves.toBeDefined();
  });

  test("a malformed key is rejected without a lookup", async () => {
    const { state, send } = setUp();
    for (const apiKey of ["x", "ems_", buildKey(1).slice(1), `${buildKey(1)}0`, buildKey(1).replace(/.$/, "-")]) {
      await expect(send({ apiKey })).rejects.toMatchObject({ code: Code.Unauthenticated });
    }
    expect(state.calls).toBe(0);
  });

  test("is delayed when its address fails often; valid keys and other addresses are not", async () => {
    const { state, send } = setUp({ AUTH_FAILURES_PER_MINUTE: "3", AUTH_FAILURE_DELAY_MAX_MS: "60000" });
    const client = new AbortController();
    const fail = (address = "10.0.0.1") => send({ apiKey: "bad", address, disconnected: () => client.signal });
    for (let i = 0; i < 3; i++) await expect(fail()).rejects.toMatchObject({ code: Code.Unauthenticated });
    let isAnswered = false;
    const late = fail().catch(() => (isAnswered = true));
    for (let number = 1; number < 20; number++) await expect(send({ apiKey: buildKey(number) })).resolves.toBeDefined();
    await expect(fail("10.0.0.2")).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect([isAnswered, state.calls]).toEqual([false, 19]);
    client.abort();
    await late;
  });

  test("shares batched lookups round robin by address: a flood does not delay a valid key from another address", async () => {
    const { state, send } = setUp({ AUTH_FAILURES_PER_MINUTE: "1000000" });
    const pending = Promise.withResolvers<typeof owner>();
    state.answer = () => pending.promise;
    const flood = Array.from({ length: 1_000 }, (_, number) =>
      send({ apiKey: buildKey(number) }).catch(() => undefined),
    );
    const good = send({ apiKey: buildKey(1_000), address: "10.0.0.2" });
    await expect.poll(() => state.calls).toBe(2);
    const goodKey = buildKey(1_000);
    state.answer = unknown;
    state.validKeys.add(goodKey);
    pending.reject(unauthenticated());
    await expect(good).resolves.toMatchObject({ applicationId });
    await Promise.all(flood);
    expect(state.keys.indexOf(goodKey)).toBeLessThan(202);
    expect(state.keys).toHaveLength(1_001);
    expect(state.calls).toBeLessThan(100);
  });

  test("never evicts valid keys from the cache", async () => {
    const { state, send } = setUp({ AUTH_CACHE_KEYS_MAX: "2", AUTH_FAILURES_PER_MINUTE: "1000000" });
    await send();
    state.answer = unknown;
    for (let number = 2; number < 20; number++) await send({ apiKey: buildKey(number) }).catch(() => undefined);
    const { calls } = state;
    await send();
    expect(state.calls).toBe(calls);
  });
});

test("without a cached answer, an outage of identity is reported as unavailable and not cached", async () => {
  const { state, send } = setUp();
  state.answer = down;
  await expect(send()).rejects.toMatchObject({ code: Code.Unavailable });
  state.answer = async () => owner;
  await expect(send()).resolves.toBeDefined();
});

test("the cache is bounded", async () => {
  const { state, send } = setUp({ AUTH_CACHE_KEYS_MAX: "2" });
  for (const number of [1, 2, 3, 1]) await send({ apiKey: buildKey(number) });
  expect(state.calls).toBe(4);
});
