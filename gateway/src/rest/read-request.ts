// Reads path, query and body of a request into the input message of its RPC, with the issues of all three.

import { create, type Message } from "@bufbuild/protobuf";
import { isObject, nearestDouble } from "@ems/kit/json/exact-number";
import { firstIssues, type Issue, type Issues } from "@ems/kit/json/issue";
import { expected, unrecognizedKey } from "@ems/kit/json/issue-messages";
import { readValidated } from "@ems/kit/json/read-validated";
import { RawBody } from "./body.ts";
import type { Route } from "./routes.ts";

export interface RequestParts {
  /** Path parameters by JSON name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string, without the question mark. */
  readonly rawQuery: string;
  readonly body: unknown;
  /** Issues of an unparseable body. */
  readonly bodyIssues?: readonly Issue[] | undefined;
}

export interface ReadRequest extends Issues {
  /** Valid only when there are no issues. */
  readonly message: Message;
}

export function readRequest(route: Route, { params, rawQuery, body, bodyIssues = [] }: RequestParts): ReadRequest {
  const { method, bodyMode, pathFields, queryFields } = route;
  const query = parseQuery(rawQuery);
  const inPath = pathFields.map(({ jsonName }): [string, string[]] => [jsonName, [params[jsonName] ?? ""]]);
  const isParameter = (name: string) => bodyMode === "none" && !inPath.some(([other]) => other === name);
  const inQuery = Object.entries(query.values);
  const isField = (name: string) => queryFields.some(({ jsonName }) => jsonName === name);
  // Clients send an empty list as a filter without a value, which counts as absent.
  const isList = isField("limit");
  const named = inQuery.flatMap(([name, values]): [string, string[]][] => {
    const texts = isList && isField(name) ? values.filter((value) => value !== "") : values;
    return isParameter(name) && texts.length > 0 ? [[name, texts]] : [];
  });

  const text = Object.fromEntries([...inPath, ...named]);
  const { message, issues, omitted } =
    bodyMode === "raw"
      ? rawRequest(route, body)
      : readValidated(method.input, bodyValue(route, body, bodyIssues), { text });
  const otherIssues = [
    ...inQuery.filter(([name]) => !isParameter(name)).map(([name]) => unexpectedKey(name)),
    ...query.issues,
    ...bodyIssues,
    ...(bodyMode === "none" && bodyIssues.length === 0 ? unexpectedBody(body) : []),
  ];
  if (otherIssues.length === 0 && (issues.length === 0 || bodyMode === "all")) return { message, issues, omitted };

  const malformed = new Set(query.issues.map(({ path: [name = ""] }) => name).filter(isParameter));
  const isReported = ({ path: [name] }: Issue) => {
    return name === undefined ? bodyIssues.length > 0 : malformed.has(name);
  };
  return { message, ...firstIssues([...otherIssues, ...issues.filter((issue) => !isReported(issue))], omitted) };
}

/** Uses the bytes of a raw body as the request; the service parses them. */
function rawRequest({ method, mediaTypes }: Route, body: unknown): ReadRequest {
  const { payload, contentType = mediaTypes[0] } = body instanceof RawBody ? body : new RawBody(new Uint8Array());
  return { message: create(method.input, { payload, contentType }), issues: [], omitted: 0 };
}

/** Returns the body's part of the message; undefined if `bodyIssues` exist. */
function bodyValue({ bodyMode }: Route, body: unknown, bodyIssues: readonly Issue[]): unknown {
  if (bodyMode === "none") return {};
  return bodyIssues.length > 0 ? undefined : body;
}

/** Reports a body on a route without one; an empty object is accepted, because clients send it. */
function unexpectedBody(body: unknown): Issue[] {
  if (isObject(body)) {
    return Object.keys(body).map(unexpectedKey);
  }
  return [{ code: "invalid_type", message: expected("object", nearestDouble(body)), path: [] }];
}

function unexpectedKey(name: string): Issue {
  return { code: "unrecognized_keys", message: unrecognizedKey(name), path: [name] };
}

interface Query {
  /** Values of each parameter, in order. The object has no prototype, so any name is safe. */
  readonly values: Record<string, string[]>;
  readonly issues: Issue[];
}

/** Parses strictly: a malformed escape is an issue. */
export function parseQuery(raw: string): Query {
  const values: Record<string, string[]> = Object.create(null);
  const issues: Issue[] = [];
  for (const pair of raw.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const name = decoded(rawName);
    const value = equals < 0 ? "" : decoded(pair.slice(equals + 1));
    if (name === undefined || value === undefined) issues.push(malformed(name ?? rawName));
    else if (values[name] === undefined) values[name] = [value];
    else values[name].push(value);
  }
  return { values, issues };
}

function malformed(name: string): Issue {
  return { code: "invalid_string", message: "String must be percent-encoded UTF-8", path: [name] };
}

/** Decodes a text; undefined for a broken escape, invalid UTF-8, and unescaped characters that must be escaped. */
function decoded(text: string): string | undefined {
  if (/[^!-~]/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
