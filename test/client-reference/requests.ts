// Generates requests that the document allows, and sends them.

import fc, { type Arbitrary } from "fast-check";
import type { Answer, Api } from "../harness/api.ts";
import type { Operation, Parameter } from "./operations.ts";
import { buildArbitrary, type Context } from "./values.ts";

export interface Request {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined if there is no body. */
  readonly body?: unknown;
}

/** True for a cursor, which only an earlier page names; list-cursors.test.ts has those. */
const isCursor = ({ name, required, schema }: Parameter) =>
  name === "after" && required !== true && !("format" in schema);

export function buildRequest(context: Context, { parameters, body, isBodyRequired }: Operation): Arbitrary<Request> {
  const ofPlace = (place: Parameter["in"]) => {
    const placed = parameters.filter((each) => each.in === place && !isCursor(each));
    const values = placed.map(({ name, schema }) => [name, buildArbitrary(context, schema, name)] as const);
    return fc.record(Object.fromEntries(values), {
      requiredKeys: placed.filter(({ required }) => required === true).map(({ name }) => name),
    });
  };
  const ofBody = body === undefined ? fc.constant(undefined) : buildArbitrary(context, body);
  return fc.record({
    path: ofPlace("path"),
    query: ofPlace("query"),
    headers: ofPlace("header"),
    body: isBodyRequired ? ofBody : fc.oneof({ weight: 4, arbitrary: ofBody }, fc.constant(undefined)),
  });
}

/** Sends the request; the client checks the answer against the document. */
export function send(api: Api, operation: Operation, { path, query, headers, body }: Request): Promise<Answer> {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]));
  const search = new URLSearchParams(pairs).toString();
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return api.send(operation.method, search === "" ? filled : `${filled}?${search}`, {
    headers: sent,
    ...(body !== undefined && { json: body }),
  });
}
