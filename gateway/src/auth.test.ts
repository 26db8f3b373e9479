import { createRouterTransport } from "@connectrpc/connect";
import { Code, unauthenticated, unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { fixedClock } from "@ems/kit/testing";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { describe, expect, test } from "vitest";
import { Authenticator } from "./auth.ts";
import { gatewayConfig } from "./config.ts";

const applicationId = newId();
const owner = { keyId: newId(), applicationId, orgId: "org", userId: "ada" };

/** An authenticator before an identity whose answer a test sets. */
function setUp(env: Record<string, string> = {}) {
  const state = { asked: 0, answer: async (): Promise<typeof owner> => owner };
  const transport = createRouterTransport((router) =>
    router.service(ApiKeyService, {
      authenticate: () => {
        state.asked++;
        return state.answer();
      },
    }),
  );
  const clock = fixedClock();
  const config = gatewayConfig({ RPC_SECRET: "x".repeat(32), ...env });
  const authenticator = new Authenticator(config, clock, () => transport);
  const shown = { apiKey: "good", applicationId, address: "10.0.0.1", requestId: "r" };
  const ask = (credentials: { apiKey?: string; address?: string; applicationId?: string } = {}) =>
    authenticator.tenant({ ...shown, ...credentials });
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

  test("costs its address 30 tries a minute, then 429, while good keys and other addresses go on", async () => {
    const { state, ask } = setUp();
    await ask();
    state.answer = unknown;
    for (let i = 0; i < 30; i++)
      await expect(ask({ apiKey: `bad ${i}` })).rejects.toMatchObject({ code: Code.Unauthenticated });
    const refused = await ask({ apiKey: "bad 30" }).catch((thrown) => thrown);
    expect(refused.code).toBe(Code.ResourceExhausted);
    expect(Number(refused.metadata.get("retry-after"))).toBeGreaterThan(0);
    await expect(ask()).resolves.toBeDefined();
    await expect(ask({ apiKey: "bad", address: "10.0.0.2" })).rejects.toMatchObject({ code: Code.Unauthenticated });
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
  for (const apiKey of ["a", "b", "c", "a"]) await ask({ apiKey });
  expect(state.asked).toBe(4);
});
