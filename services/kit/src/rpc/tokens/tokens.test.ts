import { capturedLog, stopClock, testTenant } from "@ems/test-support";
import { type TestCaller, testCaller } from "@ems/test-support/rpc-keys";
import { type JWTPayload, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Code } from "../../errors.ts";
import { authenticator } from "./verify.ts";

const [gateway, catalog] = [testCaller("gateway"), testCaller("catalog")];
const publicKeys = new Map([gateway, catalog].map(({ name, publicKey }) => [name, [publicKey]]));
const { log, text } = capturedLog();
const authenticate = authenticator({ audience: "experiments", callers: ["gateway"], publicKeys, log });
const tenant = testTenant();
const refused = expect.objectContaining({ code: Code.Unauthenticated });

/** Authenticates the header; returns the error of a refusal. */
const getResult = async (header: string | undefined) => {
  try {
    return await authenticate(header);
  } catch (error) {
    return error;
  }
};
/** Creates a token by hand; the parameters replace its valid values. */
const made = async (claims: JWTPayload = {}, signer: TestCaller = gateway, alg = "EdDSA") => {
  const nowS = Math.floor(Date.now() / 1000);
  const right = { iss: "gateway", aud: "experiments", iat: nowS, exp: nowS + 120, org_id: "o", application_id: "a" };
  const jwt = new SignJWT({ ...right, user_id: "u", ...claims }).setProtectedHeader({ alg });
  return `Bearer ${await jwt.sign(signer.privateKey)}`;
};

beforeEach(() => stopClock("Date"));
afterEach(() => void vi.useRealTimers());

test("a token contains caller and tenant, including non-ASCII ids", async () => {
  const unusual = { ...tenant, orgId: "Åsa's / 100%", isApplicationImplied: true } as const;
  const limited = { ...tenant, lackingScopes: ["definition:write"] };
  const ofMember = { ...tenant, memberId: "01990000-0000-7000-8000-000000000001" };
  for (const token of [tenant, unusual, limited, ofMember, undefined]) {
    const header = await gateway.tokensFor("experiments")(token);
    expect(await getResult(header)).toEqual({ name: "gateway", tenant: token });
  }
});

test("a token is reused for a minute, for its tenant only, and verified once", async () => {
  const tokens = gateway.tokensFor("experiments");
  const first = await tokens(tenant);
  expect(tokens({ ...tenant })).toBe(first);
  expect(await tokens({ ...tenant, userId: "another" })).not.toBe(first);
  expect(await tokens({ ...tenant, lackingScopes: ["a"] })).not.toBe(first);
  expect(await gateway.tokensFor("catalog")(tenant)).not.toBe(first);
  await authenticate(first);
  expect(authenticate(first)).toEqual({ name: "gateway", tenant });
  vi.advanceTimersByTime(61_000);
  expect(await tokens(tenant)).not.toBe(first);
});

test("a token is valid for its lifetime plus the clock skew, also in the cache", async () => {
  const header = await made();
  expect(await getResult(header)).toMatchObject({ name: "gateway" });
  vi.advanceTimersByTime(149_000);
  expect(await getResult(header)).toMatchObject({ name: "gateway" });
  vi.advanceTimersByTime(2_000);
  expect(await getResult(header)).toEqual(refused);
  expect(text()).toContain("ERR_JWT_EXPIRED");
});

describe("invalid tokens are refused", () => {
  const nowS = () => Math.floor(Date.now() / 1000);
  const wrong: Record<string, () => Promise<string> | string | undefined> = {
    "no header": () => undefined,
    "another scheme": async () => (await made()).replace("Bearer", "Basic"),
    "no token": () => "Bearer",
    "a text that is not a token": () => "Bearer a.b.c",
    "a token of enormous length": async () => made({ user_id: "u".repeat(4_000) }),
    "the name of a process with the signature of another one": () => made({}, catalog),
    "a process that may not call the service": () => made({ iss: "catalog" }, catalog),
    "an unknown process": () => made({ iss: "nobody" }),
    "another service": () => made({ aud: "catalog" }),
    "no service": () => made({ aud: undefined as never }),
    "a time in the future": () => made({ iat: nowS() + 40, exp: nowS() + 100 }),
    "no expiry": () => made({ exp: undefined as never }),
    "an expiry in a day, after two and a half minutes": () => made({ iat: nowS() - 151, exp: nowS() + 86_400 }),
    "no signature": async () => {
      const [, payload] = (await made()).split(".");
      return `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    },
    "another tenant under the same signature": async () => {
      const [head, payload = "", signature] = (await made()).split(".");
      const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), application_id: "b" };
      return [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
    },
  };
  test.each(Object.entries(wrong))("%s", async (_name, header) => {
    expect(await getResult(await header())).toEqual(refused);
  });

  test("the refusal names the service, or the wrong claim", async () => {
    const getMessage = async (header: string) => ((await getResult(header)) as Error).message;
    expect(await getMessage(await made({ aud: "catalog" }))).toContain("The token is not for experiments");
    const early = { iat: nowS() + 40, exp: nowS() + 100 };
    expect(await getMessage(await made(early))).toContain("The token's claim iat is wrong");
    expect(await getMessage("Basic YTpi")).toContain("Send `authorization: Bearer`");
  });

  test("an incomplete tenant counts as none", async () => {
    expect(await getResult(await made({ user_id: undefined as never }))).toEqual({
      name: "gateway",
      tenant: undefined,
    });
  });

  test("a token's lifetime is at most two minutes", async () => {
    const header = await made({ exp: nowS() + 86_400 });
    expect(await getResult(header)).toMatchObject({ name: "gateway" });
    vi.advanceTimersByTime(151_000);
    expect(await getResult(header)).toEqual(refused);
  });
});

test("during key rotation, tokens of both keys are valid", async () => {
  const newer = testCaller("gateway");
  const both = new Map([["gateway", [gateway.publicKey, newer.publicKey]]]);
  const either = authenticator({ audience: "experiments", callers: ["gateway"], publicKeys: both, log });
  for (const signer of [gateway, newer])
    expect(await either(await made({}, signer))).toMatchObject({ name: "gateway" });
});

test("concurrent calls sign and verify a token once", async () => {
  const tokens = testCaller("gateway").tokensFor("experiments");
  const headers = await Promise.all(Array.from({ length: 20 }, () => tokens(tenant)));
  expect(new Set(headers).size).toBe(1);
  const header = await made();
  const found = await Promise.all(Array.from({ length: 20 }, () => authenticate(header)));
  expect(new Set(found).size).toBe(1);
});

test("the log contains the refused caller and the reason, but no token", async () => {
  const header = await made({ aud: "catalog" });
  await getResult(header);
  expect(text()).toContain('"caller":"gateway"');
  expect(text()).not.toContain(header.slice("Bearer ".length));
});
