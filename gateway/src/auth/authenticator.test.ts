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

const applicationId = newId();
/** A well-formed key, the same for the same number. */
const keyOf = (number: number) => formKey(Buffer.alloc(keyBytes, `${number};`));
const owner = { keyId: newId(), applicationId, orgId: "org", userId: "ada" };

/** An authenticator before an identity whose answer a test sets. */
function setUp(env: Record<string, string> = {}) {
  const state = {
    /** Calls, and the keys that they asked for. */
    asked: 0,
    keys: [] as string[],
    /** What it knows beside what it answers. */
    known: new Set<string>(),
    answer: async (): Promise<typeof owner> => owner,
  };
  const answer = (key: string) => {
    state.keys.push(key);
    return state.known.has(key) ? Promise.resolve(owner) : state.answer();
  };
  const transport = createRouterTransport((router) =>
    router.service(ApiKeyService, {
      authenticate: ({ apiKey }) => {
        state.asked++;
        return answer(apiKey);
      },
      authenticateKeys: async ({ apiKeys }) => {
        state.asked++;
        const settled = await Promise.allSettled(apiKeys.map(answer));
        return { results: settled.map((one) => (one.status === "fulfilled" ? { owner: one.value } : {})) };
      },
    }),
  );
  const clock = fixedClock();
  const config = gatewayConfig({ ...testKeys, ...env });
  const authenticator = new Authenticator(config, clock, () => transport);
  const shown = { apiKey: keyOf(1), applicationId, address: "10.0.0.1", requestId: "r" };
  const ask = (credentials: Partial<Credentials> = {}) => authenticator.tenant({ ...shown, ...credentials });
  const askOptional = (credentials: { apiKey?: string; applicationId?: string | undefined }) =>
    authenticator.tenant({ ...shown, ...credentials }, { isApplicationOptional: true });
  return { state, clock, authenticator, ask, askOptional };
}

const down = () => Promise.reject(unavailable());
const unknown = () => Promise.reject(unauthenticated());

describe("a key that identity knows", () => {
  test("is remembered for 5 s, asked again in the background until 10 s, and waited for after that", async () => {
    const { state, clock, ask } = setUp();
    expect(await ask()).toMatchObject({ applicationId, orgId: "org", userId: "ada" });
    clock.advance(4_999);
    await ask();
    expect(state.asked).toBe(1);
    clock.advance(1);
    await ask();
    await expect.poll(() => state.asked).toBe(2);
    clock.advance(10_000);
    state.answer = unknown;
    await expect(ask()).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(state.asked).toBe(3);
  });

  test("is asked for once, however many wait", async () => {
    const { state, ask } = setUp();
    await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(state.asked).toBe(1);
  });

  test("serves on for 60 s while identity cannot be reached, and not longer", async () => {
    const { state, clock, ask } = setUp();
    await ask();
    state.answer = down;
    clock.advance(59_999);
    await expect(ask()).resolves.toMatchObject({ applicationId });
    clock.advance(1);
    await expect(ask()).rejects.toMatchObject({ code: Code.Unavailable });
  });

  test("is forgotten at once when it is deleted, also by an answer that was on its way", async () => {
    const { state, authenticator, ask } = setUp();
    const slow = Promise.withResolvers<typeof owner>();
    state.answer = () => slow.promise;
    const onItsWay = ask();
    await expect.poll(() => state.asked).toBe(1);
    authenticator.forget(owner.keyId);
    slow.resolve(owner);
    await onItsWay;
    state.answer = unknown;
    await expect(ask()).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test("does not reach another application", async () => {
    const { ask } = setUp();
    await expect(ask({ applicationId: newId() })).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});

describe("where the application is optional", () => {
  test("a request that names none acts on the key's own, and that is told", async () => {
    const { askOptional } = setUp();
    for (const unnamed of [undefined, ""]) {
      expect(await askOptional({ applicationId: unnamed })).toEqual({ ...owner, isApplicationImplied: true });
    }
  });

  test("one that names the key's own is like any other", async () => {
    const { ask, askOptional } = setUp();
    expect(await askOptional({ applicationId })).toEqual(await ask());
    expect(await ask()).not.toHaveProperty("isApplicationImplied");
  });

  test("one that names another is forbidden", async () => {
    const { askOptional } = setUp();
    await expect(askOptional({ applicationId: newId() })).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test("the key is required, and has to be known", async () => {
    const { state, askOptional } = setUp();
    const refused = { code: Code.Unauthenticated };
    await expect(askOptional({ apiKey: "", applicationId: undefined })).rejects.toMatchObject(refused);
    expect(state.asked).toBe(0);
    state.answer = unknown;
    await expect(askOptional({ applicationId: undefined })).rejects.toMatchObject(refused);
  });
});

test("a request that names no application is unauthorized elsewhere", async () => {
  const { state, ask } = setUp();
  await expect(ask({ applicationId: "" })).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(state.asked).toBe(0);
});

describe("a key that identity does not know", () => {
  test("is remembered for 2 s", async () => {
    const { state, clock, ask } = setUp();
    state.answer = unknown;
    await expect(ask()).rejects.toMatchObject({ code: Code.Unauthenticated });
    clock.advance(1_999);
    await expect(ask()).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(state.asked).toBe(1);
    clock.advance(1);
    state.answer = async () => owner;
    await expect(ask()).resolves.toBeDefined();
  });

  test("and has not even the form of one is refused without a look-up", async () => {
    const { state, ask } = setUp();
    for (const apiKey of ["x", "ems_", keyOf(1).slice(1), `${keyOf(1)}0`, keyOf(1).replace(/.$/, "-")]) {
      await expect(ask({ apiKey })).rejects.toMatchObject({ code: Code.Unauthenticated });
    }
    expect(state.asked).toBe(0);
  });

  test("is slowed down when its address fails often; a good key never seen, and other addresses, are not", async () => {
    const { state, ask } = setUp({ AUTH_FAILURES_PER_MINUTE: "3", AUTH_FAILURE_DELAY_MAX_MS: "60000" });
    const client = new AbortController();
    const fail = (address = "10.0.0.1") => ask({ apiKey: "bad", address, disconnected: () => client.signal });
    for (let i = 0; i < 3; i++) await expect(fail()).rejects.toMatchObject({ code: Code.Unauthenticated });
    let isAnswered = false;
    const late = fail().catch(() => (isAnswered = true));
    for (let number = 1; number < 20; number++) await expect(ask({ apiKey: keyOf(number) })).resolves.toBeDefined();
    await expect(fail("10.0.0.2")).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect([isAnswered, state.asked]).toEqual([false, 19]);
    client.abort();
    await late;
  });

  test("shares calls of identity with others, by address: a good key from elsewhere is not behind a thousand of them", async () => {
    const { state, ask } = setUp({ AUTH_FAILURES_PER_MINUTE: "1000000" });
    const held = Promise.withResolvers<typeof owner>();
    state.answer = () => held.promise;
    const flood = Array.from({ length: 1_000 }, (_, number) => ask({ apiKey: keyOf(number) }).catch(() => undefined));
    const good = ask({ apiKey: keyOf(1_000), address: "10.0.0.2" });
    await expect.poll(() => state.asked).toBe(2);
    const goodKey = keyOf(1_000);
    state.answer = unknown;
    state.known.add(goodKey);
    held.reject(unauthenticated());
    await expect(good).resolves.toMatchObject({ applicationId });
    await Promise.all(flood);
    expect(state.keys.indexOf(goodKey)).toBeLessThan(202);
    expect(state.keys).toHaveLength(1_001);
    expect(state.asked).toBeLessThan(100);
  });

  test("never pushes out what is remembered of good ones", async () => {
    const { state, ask } = setUp({ AUTH_CACHE_KEYS_MAX: "2", AUTH_FAILURES_PER_MINUTE: "1000000" });
    await ask();
    state.answer = unknown;
    for (let number = 2; number < 20; number++) await ask({ apiKey: keyOf(number) }).catch(() => undefined);
    const { asked } = state;
    await ask();
    expect(state.asked).toBe(asked);
  });
});

test("identity down and nothing remembered is unavailable, never unauthorized, and is not remembered", async () => {
  const { state, ask } = setUp();
  state.answer = down;
  await expect(ask()).rejects.toMatchObject({ code: Code.Unavailable });
  state.answer = async () => owner;
  await expect(ask()).resolves.toBeDefined();
});

test("no more keys are remembered than allowed", async () => {
  const { state, ask } = setUp({ AUTH_CACHE_KEYS_MAX: "2" });
  for (const number of [1, 2, 3, 1]) await ask({ apiKey: keyOf(number) });
  expect(state.asked).toBe(4);
});
