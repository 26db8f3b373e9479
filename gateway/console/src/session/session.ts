// Who is signed in. The key itself never reaches the page: the gateway keeps it in a sealed cookie.

import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../api/errors.ts";
import { setApplication } from "../api/send.ts";

export interface Session {
  readonly application: { readonly id: string; readonly name: string | null };
  readonly organisation: { readonly id: string };
  /** Null for a person who signed in at the provider. */
  readonly key: { readonly id: string; readonly name: string | null } | null;
  /** Null for a key. */
  readonly member: { readonly id: string; readonly role: string } | null;
  /** All that it may do, one by one. */
  readonly scopes: readonly string[];
  readonly user: { readonly id: string; readonly name: string | null; readonly email: string | null } | null;
  /** Those that a person is a member of; a key's session has none. */
  readonly applications: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly expiresAt: string;
}

export interface SessionState {
  readonly data: Session | null;
  readonly canSignIn: boolean;
  /** Why nobody can sign in here, as over plain HTTP. */
  readonly reason: string | null;
  /** Where people sign in, if that is not here. */
  readonly provider: { readonly name: string; readonly url: string } | null;
}

export type Credentials = { readonly apiKey: string; readonly applicationId: string } | { readonly code: string };

const url = "/console/api/session";

export const sessionKey = ["session"] as const;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async (): Promise<SessionState> => {
    const state = await call<SessionState>("GET");
    setApplication(state.data?.application.id);
    return state;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const signIn = (credentials: Credentials) => call<{ data: Session }>("POST", credentials);

/** Answers where a person signs out of the provider too. */
export const signOut = () => call<{ data: { signOutUrl: string } } | undefined>("DELETE");

/** Goes on with another of the person's applications. */
export const switchTo = (applicationId: string) => call<{ data: Session }>("PUT", { applicationId });

const failures: Readonly<Record<string, string>> = {
  denied: "The provider says that you did not go on there.",
  expired: "That took too long, or was begun in another window. Sign in again.",
  provider:
    "The provider does not answer at the moment. Try again in a minute, or tell whoever runs this installation.",
  refused:
    "What the provider answered is not right. Try again; whoever runs this installation finds the reason in the log.",
  stranger: "You are no member of an application here. Ask one of its owners for an invitation to your e-mail address.",
  unverified: "The provider has not verified your e-mail address, by which you would be known here.",
  unavailable: "This installation cannot sign people in at the moment. Try again in a minute.",
  busy: "Too many people are signing in from here. Try again in a minute.",
};

/** Why a sign-in at the provider did not succeed, by the word that the gateway leads back with. */
export const sentenceOf = (failed: string | undefined) =>
  failed === undefined ? undefined : (failures[failed] ?? "The sign-in did not succeed.");

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

/** The code of the link that `npm start` prints, which stands behind the `#` so that no log has it. */
export function codeOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("code") ?? undefined;
}

/** A path of this console to go on to; another one would let a link lead elsewhere. */
export const localPath = (from: string | undefined) =>
  from !== undefined && /^\/(?![/\\])/.test(from) && !from.startsWith("/sign-in") ? from : "/";
