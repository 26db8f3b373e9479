// Sign-in at a real OpenID Connect provider, and attacks on the sign-in.

import { MemberRole } from "@ems/proto/identity/v1/member_service";
import { describe, expect, test } from "vitest";
import { openPeople, readSessionCookie } from "../../../test/people.ts";

const {
  call,
  returnToConsole,
  gatewayWith,
  here,
  member,
  memberships,
  provider,
  signIn,
  signIns,
  start,
  readAttempt,
  origin,
  clock,
} = await openPeople({ OIDC_OWNERS: "ADA@example.com" });
const entra = await openPeople({ OIDC_EMAIL_VERIFIED_CLAIM: "xms_edov" });
const session = "/console/api/session";
const startUrl = "/console/api/open-id/start";
const who = async (cookie: string) => (await call("GET", session, { cookie })).json().data;
const failure = (word: string) => `/sign-in?failed=${word}`;

describe("a sign-in", () => {
  test("leads through the provider to the requested page, as the person and without a key", async () => {
    const { applicationId, memberId } = member("ada", MemberRole.EDITOR);
    const { begun, ended, cookie, location } = await signIn("ada", "/topics?status=DRAFT");
    const authorization = new URL(String(begun.headers.location));
    expect(Object.fromEntries(authorization.searchParams)).toMatchObject({
      client_id: "ems",
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
      redirect_uri: `${origin}/console/api/open-id/callback`,
    });
    expect(begun.headers["set-cookie"]).toMatch(
      /^ems-open-id=\S+; Max-Age=600; Path=\/console\/api\/open-id; HttpOnly; SameSite=Lax$/,
    );
    expect([ended.statusCode, location]).toEqual([302, "/topics?status=DRAFT"]);
    expect(signIns.at(-1)).toMatchObject({
      issuer: provider.issuer,
      subject: "ada",
      verifiedEmail: "ada@example.com",
      name: "Ada Lovelace",
      isNamedOwner: true,
    });
    expect(await who(cookie)).toMatchObject({
      application: { id: applicationId },
      key: null,
      member: { id: memberId, role: "EDITOR" },
      user: { id: "user of ada" },
      applications: [{ id: applicationId, name: "Bank", role: "EDITOR" }],
    });
    const topic = await call("GET", "/console/api/v0/topics/0192a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b", { cookie });
    expect(topic.statusCode).toBe(200);
  });

  test("names the provider before anyone has signed in", async () => {
    const { provider: listed } = (await call("GET", session, {})).json();
    expect(listed).toEqual({ name: "Acme", url: "/console/api/open-id/start" });
  });

  test("of an unknown person, with an unverified address or after a denial begins no session", async () => {
    const [stranger, unverified] = [await signIn("nameless"), await signIn("bob")];
    expect([stranger.location, stranger.cookie]).toEqual([failure("stranger"), ""]);
    expect([unverified.location, unverified.cookie]).toEqual([failure("unverified"), ""]);
    expect(signIns.at(-1)).toMatchObject({ subject: "bob", isNamedOwner: false });
    expect(signIns.at(-1)?.verifiedEmail).toBeUndefined();
    const begun = await start();
    const back = await provider.signIn(String(begun.headers.location), "ada", "no");
    const ended = await returnToConsole(back, readAttempt(begun));
    expect([ended.headers.location, readSessionCookie(ended)]).toEqual([failure("denied"), ""]);
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil.example", "javascript:alert(1)"])(
    "does not redirect to %j",
    async (from) => {
      member("ada");
      expect((await signIn("ada", from)).location).toBe("/");
    },
  );

  test("begins at the public address only, and not from another site's page", async () => {
    const elsewhere = await start("/topics", { host: "127.0.0.1:3000" });
    expect(elsewhere.headers.location).toBe(`${origin}/sign-in?from=%2Ftopics`);
    expect((await start("/", { "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
  });
});

describe("the callback", () => {
  const stolen = async () => {
    member("ada");
    const begun = await start();
    return { begun, back: await provider.signIn(String(begun.headers.location), "ada"), cookie: readAttempt(begun) };
  };

  test("rejects another browser, and another browser's attempt", async () => {
    const [{ back }, other] = [await stolen(), await start()];
    for (const cookie of ["", readAttempt(other), "ems-open-id=rpc:forged"]) {
      const ended = await returnToConsole(back, cookie);
      expect(readSessionCookie(ended)).toBe("");
      expect(ended.headers.location).toBe(failure(cookie === readAttempt(other) ? "refused" : "expired"));
    }
  });

  test("signs in only once", async () => {
    const { back, cookie } = await stolen();
    expect(readSessionCookie(await returnToConsole(back, cookie))).not.toBe("");
    const repeated = await returnToConsole(back, cookie);
    expect([repeated.headers.location, readSessionCookie(repeated)]).toEqual([failure("expired"), ""]);
  });

  test("with a code of another attempt is refused: nonce and verifier do not match", async () => {
    const [first, second] = [await stolen(), await stolen()];
    const mixed = new URL(second.back);
    mixed.searchParams.set("code", new URL(first.back).searchParams.get("code") ?? "");
    const ended = await returnToConsole(mixed.href, second.cookie);
    expect([ended.headers.location, readSessionCookie(ended)]).toEqual([failure("refused"), ""]);
  });

  test("is refused if the issuer differs, is missing, or a value occurs twice", async () => {
    for (const change of [
      (url: URL) => url.searchParams.set("iss", "https://evil.example"),
      (url: URL) => url.searchParams.delete("iss"),
      (url: URL) => url.searchParams.append("state", "x"),
      (url: URL) => url.searchParams.delete("state"),
    ]) {
      const { back, cookie } = await stolen();
      const url = new URL(back);
      change(url);
      const ended = await returnToConsole(url.href, cookie);
      expect([ended.headers.location, readSessionCookie(ended)]).toEqual([failure("refused"), ""]);
    }
  });

  test("is refused after the attempt has expired", async () => {
    const { back, cookie } = await stolen();
    clock.ms += 10 * 60_000;
    expect((await returnToConsole(back, cookie)).headers.location).toBe(failure("expired"));
  });

  test("ends the browser's previous session", async () => {
    member("ada");
    const before = (await signIn("ada")).cookie;
    const begun = await start("/", { cookie: before });
    const back = await provider.signIn(String(begun.headers.location), "ada");
    await returnToConsole(back, `${readAttempt(begun)}; ${before}`);
    expect(await who(before)).toBeNull();
  });
});

describe("a session", () => {
  test("switches between the person's applications, and other tabs are notified", async () => {
    memberships.delete("ada");
    const [first, second] = [member("ada"), member("ada", MemberRole.OWNER)];
    const { cookie } = await signIn("ada");
    const switched = await call("PUT", session, { cookie }, { applicationId: second.applicationId });
    expect(switched.json().data).toMatchObject({
      application: { id: second.applicationId },
      member: { role: "OWNER" },
      applications: [{ id: first.applicationId }, { id: second.applicationId }],
    });
    const now = readSessionCookie(switched);
    const topics = "/console/api/v0/topics";
    const write = (applicationId: string) =>
      call("POST", topics, { cookie: now, "x-application-id": applicationId }, { title: "t" });
    expect((await write(second.applicationId)).statusCode).toBe(201);
    const stale = await write(first.applicationId);
    expect([stale.statusCode, stale.headers["x-console-conflict"]]).toEqual([409, "application"]);
    const foreign = await call("PUT", session, { cookie }, { applicationId: here.host });
    expect(foreign.statusCode).toBe(404);
  });

  test("ends with the membership, and follows role changes", async () => {
    memberships.delete("ada");
    const membership = member("ada", MemberRole.VIEWER);
    const { applicationId } = membership;
    const { cookie } = await signIn("ada");
    const write = () =>
      call("POST", "/console/api/v0/topics", { cookie, "x-application-id": applicationId }, { title: "t" });
    expect((await write()).statusCode).toBe(403);
    memberships.set("ada", [{ ...membership, role: MemberRole.EDITOR }]);
    expect((await write()).statusCode).toBe(201);
    memberships.delete("ada");
    expect((await write()).statusCode).toBe(401);
    expect(await who(cookie)).toBeNull();
  });

  test("ends when the setting changes", async () => {
    member("ada");
    const { cookie } = await signIn("ada");
    const without = await gatewayWith();
    const answer = await without.inject({ url: session, headers: { ...here, cookie } });
    expect(answer.json()).toMatchObject({ data: null, provider: null });
    const other = await gatewayWith({ ...provider.env, OIDC_ISSUER: "http://localhost:1" });
    expect((await other.inject({ url: session, headers: { ...here, cookie } })).json().data).toBeNull();
  });

  test("is also signed out of the provider", async () => {
    member("ada");
    const { cookie } = await signIn("ada");
    const answer = await call("DELETE", session, { cookie });
    const url = new URL(answer.json().data.signOutUrl);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${origin}/sign-in`);
    expect(await who(cookie)).toBeNull();
  });
});

test("a provider that is down is reported, does not prevent the start, and works once it is up", async () => {
  const down = await gatewayWith({ ...provider.env, OIDC_ISSUER: "http://localhost:1" });
  const begun = await down.inject({ url: startUrl, headers: { host: here.host } });
  expect([begun.statusCode, begun.headers.location]).toEqual([302, failure("provider")]);
});

test("an address is verified by the claim in the settings, and by no other", async () => {
  for (const [people, person, verifiedEmail] of [
    [{ signIn, signIns }, "ada", "ada@example.com"],
    [{ signIn, signIns }, "eva", undefined],
    [entra, "ada", undefined],
    [entra, "eva", "eva@example.com"],
  ] as const) {
    await people.signIn(person);
    expect([people.signIns.at(-1)?.subject, people.signIns.at(-1)?.verifiedEmail]).toEqual([person, verifiedEmail]);
  }
});

test.each(["long", "broken", "listed"])(
  "an invalid address (%s) is ignored: no owner, and no error",
  async (person) => {
    const { location } = await signIn(person);
    expect(location).toBe(failure("stranger"));
    expect(signIns.at(-1)).toMatchObject({ subject: person, isNamedOwner: false });
    expect(signIns.at(-1)?.verifiedEmail).toBeUndefined();
  },
);

test("an invalid subject is refused", async () => {
  const before = signIns.length;
  const { location, cookie } = await signIn("s".repeat(300));
  expect([location, cookie, signIns.length]).toEqual([failure("refused"), "", before]);
});

test.each([
  [{ PUBLIC_URL: "" }, /PUBLIC_URL: is required/],
  [{ OIDC_CLIENT_ID: "" }, /OIDC_CLIENT_ID: is required/],
  [{ OIDC_ISSUER: "http://sso.example.com" }, /OIDC_ISSUER: must be an https/],
  [{ PUBLIC_URL: "http://ems.example.com" }, /PUBLIC_URL: must be https/],
  [{ PUBLIC_URL: "https://ems.example.com/console" }, /PUBLIC_URL: must have no path/],
  [{ OIDC_OWNERS: "ada" }, /OIDC_OWNERS.*must be email addresses/],
])("the start refuses %j", async (env, message) => {
  await expect(gatewayWith({ ...provider.env, ...env })).rejects.toThrow(message);
});

test("too many sign-ins from one address are rejected", async () => {
  const busy = await gatewayWith(provider.env);
  const begin = async () => (await busy.inject({ url: startUrl, headers: { host: here.host } })).headers.location;
  const places = await Promise.all(Array.from({ length: 150 }, begin));
  expect(places[0]).toContain(provider.issuer);
  expect(places).toContain(failure("busy"));
});
