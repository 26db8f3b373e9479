// REST routes from the protos: exactly the RPCs with a google.api.http annotation are routes.

import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  getOption,
  hasOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { prepareToRead, readsText } from "@ems/kit/json/read";
import { getWriter } from "@ems/kit/json/write";
import { hasEtag } from "@ems/kit/rpc/etag";
import { http } from "@ems/proto/google/api/annotations";
import type { HttpRule } from "@ems/proto/google/api/http";
import { bodyBytesMax, largeBodyBytesMax } from "@ems/proto/limits";
import {
  deadline_ms,
  large_body,
  location,
  media_types,
  optional_application,
  rate_limit,
  raw_body,
  raw_response,
  streamed_response,
  success_status,
} from "@ems/proto/rest/v1/rest";
import { ParquetFile } from "./parquet.ts";

export type HttpMethod = "GET" | "PUT" | "POST" | "DELETE" | "PATCH";

export interface Route {
  readonly service: DescService;
  readonly method: DescMethodUnary;
  readonly httpMethod: HttpMethod;
  /** Path in OpenAPI's form, with JSON names: `/v0/topics/{id}`. */
  readonly path: string;
  /** Path in Fastify's form: `/v0/topics/:id`. */
  readonly fastifyPath: string;
  /** The RPC's first binding, if this route is an additional one. */
  readonly primaryRoute?: Pick<Route, "httpMethod" | "path">;
  /** Path parameters in path order. */
  readonly pathFields: readonly DescField[];
  /** `all`: the body contains all other fields; `raw`: the body is bytes; `none`: other fields are query parameters. */
  readonly bodyMode: "none" | "all" | "raw";
  /** Accepted media types. */
  readonly mediaTypes: readonly string[];
  readonly bodyBytesMax: number;
  /** True if the response's body is bytes in the media type of the request. */
  readonly isRawResponse: boolean;
  /** True if the response's body is a stream of pages. */
  readonly isStreamed: boolean;
  /** True if the raw response is a file with a media type of its own. */
  readonly isDownload: boolean;
  readonly queryFields: readonly DescField[];
  /** 204 has no body. */
  readonly successStatus: number;
  /** Path in the `Location` header; braces name fields of the response. */
  readonly location?: string;
  /** True if `x-application-id` may be absent and defaults to the key's application. */
  readonly isApplicationOptional: boolean;
  /** Deadline of this RPC. */
  readonly deadlineMs?: number;
  /** Name of the RPC's additional rate limit. */
  readonly rateLimit?: string;
}

/** Lists the routes. Throws for an unsupported annotation, so that the process does not start with a wrong route. */
export function listRoutes(services: Iterable<DescService>): Route[] {
  const routes: Route[] = [];
  const owners = new Map<string, string>();
  for (const service of services) {
    for (const method of service.methods) {
      if (!hasOption(method, http)) continue;
      const rpc = `${service.typeName}.${method.name}`;
      if (!isUnary(method)) throw new Error(`${rpc}: only unary RPCs can be routes`);
      for (const route of bindings(rpc, service, method)) {
        const key = `${route.httpMethod} ${route.fastifyPath.replace(/:\w+/g, ":")}`;
        const owner = owners.get(key);
        if (owner !== undefined)
          throw new Error(`${rpc}: ${owner} already has the route ${route.httpMethod} ${route.path}`);
        owners.set(key, rpc);
        routes.push(route);
      }
    }
  }
  return routes;
}

/** Lists the routes of an RPC: its own and those of `additional_bindings`. */
function bindings(rpc: string, service: DescService, method: DescMethodUnary): Route[] {
  const rule = getOption(method, http);
  const first = buildRoute(rpc, service, method, rule);
  const aliases = rule.additionalBindings.map((binding) => buildRoute(rpc, service, method, binding));
  return [first, ...aliases.map((route) => ({ ...route, primaryRoute: first }))];
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

function buildRoute(rpc: string, service: DescService, method: DescMethodUnary, { pattern, body }: HttpRule): Route {
  const invalid: Invalid = (reason) => new Error(`${rpc}: ${reason}`);
  if (pattern.case === undefined || pattern.case === "custom") {
    throw invalid("the HTTP method must be get, put, post, delete or patch");
  }
  if (body !== "" && pattern.case === "get") throw invalid("a GET cannot have a body");

  const parts = pathParts(pattern.value, method, invalid);
  const pathFields = parts.filter((part) => typeof part !== "string");
  if (new Set(pathFields).size < pathFields.length) throw invalid(`a field occurs twice in the path ${pattern.value}`);
  const bodyMode = getBodyMode(body, method, invalid);
  const queryFields = bodyMode !== "none" ? [] : method.input.fields.filter((field) => !pathFields.includes(field));
  prepareCodec(method, invalid);
  for (const field of [...pathFields, ...queryFields]) {
    if (!readsText(field)) throw invalid(`${field.name} is a ${field.fieldKind}, which a path or query cannot hold`);
  }
  return {
    service,
    method,
    httpMethod: httpMethods[pattern.case],
    path: joinPath(parts, ({ jsonName }) => `{${jsonName}}`),
    fastifyPath: joinPath(parts, ({ jsonName }) => `:${jsonName}`),
    pathFields,
    bodyMode,
    mediaTypes: bodyMode === "raw" ? getOption(method, media_types) : ["application/json"],
    bodyBytesMax: getOption(method, large_body) ? largeBodyBytesMax : bodyBytesMax,
    isRawResponse: getOption(method, raw_response),
    isStreamed: isStreamed(method, invalid),
    isDownload: getOption(method, raw_response) && method.output.fields.some(({ name }) => name === "content_type"),
    queryFields,
    successStatus: getSuccessStatus(method, invalid),
    ...(hasOption(method, location) && { location: getOption(method, location) }),
    isApplicationOptional: getOption(method, optional_application),
    ...(hasOption(method, deadline_ms) && { deadlineMs: getOption(method, deadline_ms) }),
    ...(hasOption(method, rate_limit) && { rateLimit: getOption(method, rate_limit) }),
  };
}

const httpMethods = { get: "GET", put: "PUT", post: "POST", delete: "DELETE", patch: "PATCH" } as const;

/** Creates the error of an unsupported annotation. */
type Invalid = (reason: string) => Error;

/** Parses the path's segments: words, and fields of the request. */
function pathParts(template: string, { input }: DescMethodUnary, invalid: Invalid): (string | DescField)[] {
  const [start, ...parts] = template.split("/");
  if (start !== "" || parts.length === 0) throw invalid(`the path ${template} must start with a slash`);
  return parts.map((part) => {
    if (/^[\w.-]+$/.test(part)) return part;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) throw invalid(`${part} in the path must be a word or one field in braces`);
    const field = input.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw invalid(`${input.typeName} has no field ${name} for the path`);
    if (field.fieldKind !== "scalar" && field.fieldKind !== "enum") {
      throw invalid(`${name} in the path must be one value, not a ${field.fieldKind}`);
    }
    return field;
  });
}

function getBodyMode(body: string, method: DescMethodUnary, invalid: Invalid): Route["bodyMode"] {
  if (!getOption(method, raw_body)) {
    if (body !== "" && body !== "*") throw invalid(`the body must be all fields, "*", not ${body}`);
    return body === "*" ? "all" : "none";
  }
  const fields = method.input.fields.map((field) => `${field.name} ${field.scalar}`).join();
  const isRaw = fields === `payload ${ScalarType.BYTES},content_type ${ScalarType.STRING}` && body === "payload";
  if (!isRaw) throw invalid("a raw body needs the fields `bytes payload` and `string content_type`, and body: payload");
  if (getOption(method, media_types).length === 0) throw invalid("a raw body needs media types");
  return "raw";
}

function joinPath(parts: readonly (string | DescField)[], placeholder: (field: DescField) => string): string {
  return parts.map((part) => `/${typeof part === "string" ? part : placeholder(part)}`).join("");
}

/** Builds the codecs at start; a message without a JSON form throws. */
function prepareCodec(method: DescMethodUnary, invalid: Invalid): void {
  try {
    if (!getOption(method, raw_body)) prepareToRead(method.input);
    if (!getOption(method, raw_response) && !getOption(method, streamed_response)) getWriter(method.output);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

function isStreamed(method: DescMethodUnary, invalid: Invalid): boolean {
  if (!getOption(method, streamed_response)) return false;
  const { payload, next } = method.output.field;
  const isPage = payload?.scalar === ScalarType.BYTES && next?.scalar === ScalarType.STRING;
  if (!isPage || method.input.field.after?.scalar !== ScalarType.STRING)
    throw invalid("a streamed response needs `bytes payload` and `string next`, and its request `string after`");
  const row = getRowType(method);
  if (row !== undefined) prepareParquet(row, invalid);
  return true;
}

/** Returns the message of the rows of a streamed response's Parquet file; undefined if it has no such form. */
export function getRowType({ output }: DescMethodUnary): DescMessage | undefined {
  const { rows } = output.field;
  return rows?.fieldKind === "list" && rows.listKind === "message" ? rows.message : undefined;
}

/** Finds the columns at start; a field without a column type throws. */
function prepareParquet(row: DescMessage, invalid: Invalid): void {
  try {
    new ParquetFile(row);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

function getSuccessStatus(method: DescMethodUnary, invalid: Invalid): number {
  const status = getOption(method, success_status) || 200;
  if (status < 200 || status > 299) throw invalid(`success_status ${status} is not a success status`);
  const inLocation = fieldsIn(getOption(method, location));
  for (const name of inLocation) {
    const field = method.output.fields.find((candidate) => candidate.name === name);
    if (field?.scalar !== ScalarType.STRING)
      throw invalid(`${method.output.typeName} has no string field ${name} for location`);
  }
  if (status === 204 && method.output.fields.some(({ name }) => !inLocation.includes(name))) {
    throw invalid(`success_status 204 allows no body, but ${method.output.typeName} has fields`);
  }
  return status;
}

const fieldPattern = /\{(\w+)\}/g;
const fieldsIn = (path: string) => [...path.matchAll(fieldPattern)].map(([, name]) => name);

/** Returns the `Location` header of a response. */
export function formatLocation({ location: path = "", method }: Route, response: Message): string {
  const message = reflect(method.output, response);
  return path.replaceAll(fieldPattern, (_, name: string) => {
    const field = method.output.fields.find((candidate) => candidate.name === name);
    return encodeURIComponent(field?.fieldKind === "scalar" ? String(message.get(field)) : "");
  });
}

/** True if the RPC only reads, whatever its HTTP method; every GET must declare this (proto/contract.test.ts). */
export function isReadOnly({ method }: { readonly method: DescMethod }): boolean {
  return method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

/** True if the request may have an Idempotency-Key: reads and deletions are idempotent without one. */
export function acceptsIdempotencyKey(route: Route): boolean {
  return !isReadOnly(route) && route.httpMethod !== "DELETE";
}

/** True if the request may have an If-Match header with the version that it changes. */
export function acceptsIfMatch({ primaryRoute, httpMethod, method }: Route): boolean {
  return hasEtag(method) && ["PUT", "PATCH"].includes(primaryRoute?.httpMethod ?? httpMethod);
}
