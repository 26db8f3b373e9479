// A gateway with sign-in at a real OpenID Connect provider.

import { newId } from "@ems/kit/id";
import { MemberRole } from "@ems/proto/identity/v1/member_service";
import { startOidcProvider } from "@ems/test-support/oidc-provider";
import { afterAll } from "vitest";
import { type Headers, openConsole } from "./console.ts";

const person = (email: string, more: object = {}) => ({ email, email_verified: true, name: "Ada Lovelace", ...more });

/** Opens a gateway and a provider; call this once per test file. */
export async function openPeople(env: Record<string, string> = {}) {
  const console = await openConsole();
  const provider = await startOidcProvider(console.origin, {
    ada: person("ada@example.com"),
    bob: person("Bob@Example.com", { email_verified: false }),
    nameless: { email_verified: true },
    eva: { email: "eva@example.com", xms_edov: "1" },
    long: person(`${"x".repeat(10_000)}@example.com`),
    broken: person("a\0b@example.com"),
    listed: { email: ["ada@example.com"], email_verified: true },
  });
  afterAll(() => provider.stop());
  const people = await console.gatewayWith({ ...provider.env, ...env });
  const call = (method: Parameters<typeof console.call>[0], url: string, headers: Headers, payload?: object) =>
    console.call(method, url, headers, payload, people);

  /** Membership as stored by identity. */
  function member(name: string, role: MemberRole = MemberRole.VIEWER, applicationId = newId()) {
    const membership = {
      memberId: newId(),
      orgId: "org",
      applicationId,
      applicationTitle: "Bank",
      userId: `user of ${name}`,
      role,
    };
    console.memberships.set(name, [...(console.memberships.get(name) ?? []), membership]);
    return membership;
  }
  const start = async (from = "/topics", headers: Headers = {}) =>
    people.inject({
      url: `/console/api/open-id/start?from=${encodeURIComponent(from)}`,
      headers: { host: console.here.host, "sec-fetch-site": "same-origin", ...headers },
    });
  /** OIDC callback, sent cross-site as a browser would. */
  const returnToConsole = (url: string, cookie: string) =>
    people.inject({
      url: url.replace(console.origin, ""),
      headers: { host: console.here.host, cookie, "sec-fetch-site": "cross-site" },
    });
  const readAttempt = (answer: Parameters<typeof console.readCookie>[0]) => console.readCookie(answer);
  /** Runs a complete sign-in; returns the last response and the session's cookie. */
  async function signIn(name: string, from?: string) {
    const begun = await start(from);
    const back = await provider.signIn(String(begun.headers.location), name);
    const ended = await returnToConsole(back, readAttempt(begun));
    return { ended, cookie: readSessionCookie(ended), location: String(ended.headers.location), begun, back };
  }
  return { ...console, provider, people, call, member, start, returnToConsole, readAttempt, signIn };
}

/** Returns the session's cookie; empty without one. */
export function readSessionCookie({ headers }: { headers: Record<string, unknown> }): string {
  const cookies = [headers["set-cookie"] ?? []].flat().map(String);
  return cookies.find((cookie) => cookie.startsWith("ems-console="))?.split(";", 1)[0] ?? "";
}
