// Who is signed in. The key itself never reaches the page: the gateway keeps it in a sealed cookie.

import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../api/errors.ts";
import { setApplication } from "../api/send.ts";

export interface Session {
  readonly application: { readonly id: string; readonly name: string | null };
  readonly organisation: { readonly id: string };
  readonly key: { readonly id: string; readonly name: string | null };
  readonly user: { readonly id: string; readonly name: string | null; readonly email: string | null } | null;
  readonly expiresAt: string;
}

export interface SessionState {
  readonly data: Session | null;
  readonly canSignIn: boolean;
  /** Why nobody can sign in here, as over plain HTTP. */
  readonly reason: string | null;
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

export const signOut = () => call<undefined>("DELETE");

async function call<Data>(method: "GET" | "POST" | "DELETE", body?: unknown): Promise<Data> {
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
