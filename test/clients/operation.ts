// Test requests of each operation on the page: the smallest one, the full one, each parameter alone, and those of an
// older client.

import type { z } from "zod";
import type { Client, Query } from "./client.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Values of a query parameter: those that match rows of the fixtures, and those that match none. */
export interface Parameter {
  readonly matching?: readonly string[];
  readonly none?: readonly string[];
  /** Values that are accepted with any number of rows. */
  readonly any?: readonly string[];
  /** `L[…]` of the page: one value, comma-joined or repeated. */
  readonly isList?: true;
  /** Further parameters that this one requires. */
  readonly with?: Query;
}

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path of the request; a new resource each time, if the request changes it. */
  path(): string | Promise<string>;
  readonly status: number;
  /** Absent if the answer has no body. */
  readonly answer?: z.ZodType;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly required?: () => Fields;
  readonly optional?: () => Fields;
  /** Returns the object in the answer that has the sent fields; absent if the answer has none. */
  readonly echo?: (answer: never) => Fields;
  /** Fields that the answer has under another name or not at all. */
  readonly notEchoed?: readonly string[];
  /** Values that the answer has in another form than sent. */
  readonly echoedAs?: Fields;
}

export interface Case {
  readonly name: string;
  readonly query?: Query;
  readonly body?: Fields;
  /** True if the list has rows; undefined if unspecified. */
  readonly hasRows?: boolean;
}

export function getCases(operation: Operation): Case[] {
  return operation.query === undefined ? bodyCases(operation) : queryCases(operation.query);
}

function bodyCases({ required, optional }: Operation): Case[] {
  if (required === undefined && optional === undefined) return [{ name: "without a body" }];
  const smallest = () => required?.() ?? {};
  const all = () => ({ ...smallest(), ...optional?.() });
  const names = Object.keys(optional?.() ?? {});
  const alone = names.map((name) => {
    const value = optional?.()[name];
    return { name: `${name} alone`, body: { ...smallest(), [name]: value } };
  });
  // In updates, null clears a field; each update has its own test of this.
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  return [
    { name: "smallest", body: smallest() },
    ...(names.length > 1 ? [{ name: "full", body: all() }] : []),
    ...alone,
    ...(names.length > 0
      ? [{ name: "older client: null for each optional field", body: { ...smallest(), ...nulls } }]
      : []),
  ];
}

function queryCases(parameters: Readonly<Record<string, Parameter>>): Case[] {
  const alone = Object.entries(parameters).flatMap(
    ([name, { matching = [], none = [], any = [], isList, with: company }]) => {
      const buildCase = (value: string, hasRows?: boolean): Case => ({
        name: `${name}=${value}`,
        query: { ...company, [name]: value },
        ...(hasRows !== undefined && { hasRows }),
      });
      const all = [...matching, ...none, ...any];
      const rows = matching.length > 0 || any.length === 0 ? { hasRows: matching.length > 0 } : {};
      const several = [
        { name: `${name}: several values`, query: { ...company, [name]: all }, ...rows },
        { name: `${name}: joined values`, query: { ...company, [name]: all.join(",") }, ...rows },
      ];
      return [
        ...matching.map((value) => buildCase(value, true)),
        ...none.map((value) => buildCase(value, false)),
        ...any.map((value) => buildCase(value)),
        ...(isList ? several : []),
      ];
    },
  );
  const empty = Object.fromEntries(Object.keys(parameters).map((name) => [name, ""]));
  return [
    { name: "smallest", query: {} },
    ...alone,
    { name: "page", query: { skip: "0", limit: "2", ...("orderBy" in parameters && { orderDir: "asc" }) } },
    { name: "older client: every parameter empty", query: { ...empty, skip: "0", limit: "25" } },
  ];
}

/** Times in every form that clients send, all of them in the past. */
export const instants = [
  "2020-01-02T03:04:05Z",
  "2020-01-02T03:04:05.123Z",
  "2020-01-02T03:04:05.123456Z",
  "2020-01-02T03:04:05+00:00",
  "2020-01-02T05:04:05.123456+02:00",
  "2020-01-02T03:04Z",
  "2020-01-02T03:04:05",
  "2020-01-02",
];

export const from: Parameter = { matching: instants, none: ["2099-01-01"] };
export const until: Parameter = { none: instants, matching: ["2099-01-01", "2099-01-01T00:00:00+00:00"] };
/** Returns the parameter as a list parameter. */
export const many = (parameter: Parameter): Parameter => ({ ...parameter, isList: true });

export const order = (...names: string[]): Parameter => ({ matching: names });

export async function run(client: Client, operation: Operation, { query, body }: Case) {
  const path = await operation.path();
  return client.send(operation.method, path, {
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
  });
}
