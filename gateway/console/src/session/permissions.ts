// Checks the session's permissions: each operation needs a scope, and the gateway returns the session's scopes.

import { useQuery } from "@tanstack/react-query";
import { rolesWithScope, scopeOfOperation } from "../../gen/operations.ts";
import { type Session, sessionQuery } from "./session.ts";

/** API operation, such as `POST /v0/topics`. An operation that the contract lacks does not compile. */
export type Operation = keyof typeof scopeOfOperation;
export type Operations = Operation | readonly Operation[];

/** Returns the reason why the session cannot call all operations; undefined if it can. */
export function getRefusal({ scopes, member }: Pick<Session, "scopes" | "member">, operations: Operations) {
  const needed = [operations].flat().map((operation) => scopeOfOperation[operation]);
  const missing = needed.find((scope) => !scopes.includes(scope));
  if (missing === undefined) return undefined;
  if (member === null) return `Your API key lacks the scope ${missing}.`;
  const roles = rolesWithScope[missing].map((role) => role.toLowerCase());
  return `Your role (${member.role.toLowerCase()}) does not allow this. Required: ${orList.format(roles)}.`;
}

const orList = new Intl.ListFormat("en", { type: "disjunction" });

/** Returns the reason like `getRefusal`; undefined also while the session is loading. */
export function useRefusal(operations: Operations): string | undefined {
  const session = useQuery(sessionQuery).data?.data;
  return session == null ? undefined : getRefusal(session, operations);
}
