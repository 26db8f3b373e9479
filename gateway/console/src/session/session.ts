// The current session. The API key never reaches the page, because the gateway stores it in an encrypted cookie.

import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../api/errors.ts";
import { setApplication } from "../api/send.ts";
import { setUnsavedOwner } from "../edits/unsaved.ts";
import { notifyTabs } from "./other-tabs.ts";

export interface Session {
  readonly application: { readonly id: string; readonly name: string | null };
  readonly organisation: { readonly id: string };
  /** API key of the session. Null if a person signed in with the OpenID Connect provider. */
  readonly key: { readonly id: string; readonly name: string | null } | null;
  /** The person's membership. Null if the session was opened with an API key. */
  readonly member: { readonly id: string; readonly role: string } | null;
  /** All scopes of the session, including those that other scopes imply. */
  readonly scopes: readonly string[];
  readonly user: { readonly id: string; readonly name: string | null; readonly email: string | null } | null;
  /** Applications of the person; empty if the session was opened with an API key. */
  readonly applications: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly expiresAt: string;
}

export interface SessionState {
  readonly data: Session | null;
  readonly canSignIn: boolean;
  /** Reason why sign-in is impossible, such as plain HTTP. */
  readonly reason: string | null;
  /** OpenID Connect provider; null if none is configured. */
  readonly provider: { readonly name: string; readonly url: string } | null;
}

export type Credentials = { readonly apiKey: string; readonly applicationId: string } | { readonly code: string };

const url = "/console/api/session";

export const sessionKey = ["session"] as const;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async (): Promise<SessionState> => {
    const state = await getSession();
    const { data } = state;
    setApplication(data?.application.id);
    if (data === null) return state;
    setUnsavedOwner([data.application.id, data.user?.id ?? data.key?.id].join(" "));
    notifyTabs("signed-in");
    return state;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const getSession = () => call<SessionState>("GET");

export const signIn = (credentials: Credentials) => call<{ data: Session }>("POST", credentials);

/** Signs out. Returns the provider's sign-out URL, if it has one. */
export const signOut = () => call<{ data: { signOutUrl: string } } | undefined>("DELETE");

/** Switches the session to another of the person's applications. */
export const switchTo = (applicationId: string) => call<{ data: Session }>("PUT", { applicationId });

const failures: Readonly<Record<string, string>> = {
  ended: "Your session ended. Sign in again.",
  denied: "Sign-in was canceled or denied at the provider.",
  expired: "The sign-in expired or was started in another window. Sign in again.",
  provider: "The provider does not respond. Try again in a minute, or contact the operator of this installation.",
  refused: "The provider sent an invalid response. Try again. The operator finds the reason in the gateway's log.",
  stranger: "You are not a member of any application. Ask an owner to invite your email address.",
  unverified: "The provider has not verified your email address. Verify it there, then sign in again.",
  unavailable: "Sign-in is unavailable. Try again in a minute.",
  busy: "Too many sign-ins from your network. Try again in a minute.",
};

/** Returns the message for a failed sign-in at the provider, by the gateway's error code. */
export const describeFailure = (failed: string | undefined) =>
  failed === undefined ? undefined : (failures[failed] ?? "Sign-in failed.");

async function call<Data>(method: "GET" | "POST" | "PUT" | "DELETE", body?: unknown): Promise<Data> {
  const response = await fetch(url, {
    method,
    headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const content: unknown = text === "" ? undefined : JSON.parse(text);
  if (!response.ok) throw new ApiError(response, content);
  return content as Data;
}

/** Returns the sign-in code in the link that `npm start` prints. It follows `#`, so that it appears in no log. */
export function findSignInCode(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("code") ?? undefined;
}

/** Returns `from` if it is a path in this console, otherwise `/`, because any other URL would be an open redirect. */
export const localPath = (from: string | undefined) =>
  from !== undefined && /^\/(?![/\\])/.test(from) && !from.startsWith("/sign-in") ? from : "/";
