// What the session may do: each operation of the contract needs a scope, and the gateway says which ones the session has.

import { useQuery } from "@tanstack/react-query";
import { rolesWithScope, scopeOfOperation } from "../../gen/operations.ts";
import { type Session, sessionQuery } from "./session.ts";

/** `POST /v0/topics`: one that the contract lacks does not compile. */
export type Operation = keyof typeof scopeOfOperation;
export type Operations = Operation | readonly Operation[];

/** Why the session may not call them all; undefined where it may. */
export function refusalOf({ scopes, member }: Pick<Session, "scopes" | "member">, operations: Operations) {
  const needed = [operations].flat().map((operation) => scopeOfOperation[operation]);
  const missing = needed.find((scope) => !scopes.includes(scope));
  if (missing === undefined) return undefined;
  if (member === null) return `Your API key lacks the scope ${missing}.`;
  const roles = rolesWithScope[missing].map((role) => role.toLowerCase());
  return `Your role, ${member.role.toLowerCase()}, may not do this: it takes ${orList.format(roles)}.`;
}

const orList = new Intl.ListFormat("en", { type: "disjunction" });

/** Undefined where the session may, and while nothing is known of it. */
export function useRefusal(operations: Operations): string | undefined {
  const session = useQuery(sessionQuery).data?.data;
  return session == null ? undefined : refusalOf(session, operations);
}
