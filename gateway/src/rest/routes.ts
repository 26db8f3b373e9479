// The REST surface, made from the protos: every RPC with a google.api.http annotation is a route, and no other is.

import {
  type DescField,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  getOption,
  hasOption,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { prepareToRead, readsText } from "@ems/kit/json/read";
import { writerOf } from "@ems/kit/json/write";
import { http } from "@ems/proto/google/api/annotations";
import { deadline_ms, optional_application, rate_limit, success_status } from "@ems/proto/rest/v1/rest";

export type HttpMethod = "GET" | "PUT" | "POST" | "DELETE" | "PATCH";

export interface Route {
  readonly service: DescService;
  readonly method: DescMethodUnary;
  readonly httpMethod: HttpMethod;
  /** As the API reference shows it: `/v0/topics/{id}`, with JSON names. */
  readonly path: string;
  /** As Fastify wants it: `/v0/topics/:id`. */
  readonly fastifyPath: string;
  /** Fields of the request that stand in the path, in its order. */
  readonly pathFields: readonly DescField[];
  /** Whether the body holds all other fields, or there is none and they are query parameters, or it is one field's value. */
  readonly bodyMode: "none" | "all" | "field";
  /** The field whose value the body is, when it is one's: a message, such as a free object of google.protobuf.Struct. */
  readonly bodyField?: DescField;
  readonly queryFields: readonly DescField[];
  /** The status of a successful answer; 204 has no body. */
  readonly successStatus: number;
  /** Whether `x-application-id` may be absent: then the application is the key's own. */
  readonly isApplicationOptional: boolean;
  /** How long it may take in all, where the RPC says so itself. */
  readonly deadlineMs?: number;
  /** The rate limit that it has of its own. */
  readonly rateLimit?: string;
}

/** Throws for an annotation that it does not understand: better no start than a route that is not what it says. */
export function routesOf(services: Iterable<DescService>): Route[] {
  const routes: Route[] = [];
  const owners = new Map<string, string>();
  for (const service of services) {
    for (const method of service.methods) {
      if (!hasOption(method, http)) continue;
      const rpc = `${service.typeName}.${method.name}`;
      if (!isUnary(method)) throw new Error(`${rpc}: only unary RPCs can be routes`);
      const route = routeOf(rpc, service, method);
      const key = `${route.httpMethod} ${route.fastifyPath.replace(/:\w+/g, ":")}`;
      const owner = owners.get(key);
      if (owner !== undefined) throw new Error(`${rpc}: ${owner} has the route ${route.httpMethod} ${route.path} too`);
      owners.set(key, rpc);
      routes.push(route);
    }
  }
  return routes;
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

function routeOf(rpc: string, service: DescService, method: DescMethodUnary): Route {
  const refuse = (why: string) => new Error(`${rpc}: ${why}`);
  const { pattern, body, additionalBindings } = getOption(method, http);
  if (pattern.case === undefined || pattern.case === "custom") {
    throw refuse("the HTTP method must be get, put, post, delete or patch");
  }
  if (additionalBindings.length > 0) throw refuse("additional_bindings are not supported, an RPC has one route");
  if (body !== "" && pattern.case === "get") throw refuse("a GET has no body");

  const parts = pathParts(pattern.value, method, refuse);
  const pathFields = parts.filter((part) => typeof part !== "string");
  if (new Set(pathFields).size < pathFields.length) throw refuse(`a field stands twice in the path ${pattern.value}`);
  const bodyField = body === "" || body === "*" ? undefined : oneMessage(body, method, refuse);
  const isElsewhere = (field: DescField) => field === bodyField || pathFields.includes(field);
  const queryFields = body === "*" ? [] : method.input.fields.filter((field) => !isElsewhere(field));
  prepareCodec(method, refuse);
  for (const field of [...pathFields, ...queryFields]) {
    if (!readsText(field)) throw refuse(`${field.name} is a ${field.fieldKind}, which a path or query cannot hold`);
  }
  return {
    service,
    method,
    httpMethod: httpMethods[pattern.case],
    path: joined(parts, ({ jsonName }) => `{${jsonName}}`),
    fastifyPath: joined(parts, ({ jsonName }) => `:${jsonName}`),
    pathFields,
    bodyMode: bodyField !== undefined ? "field" : body === "*" ? "all" : "none",
    ...(bodyField !== undefined && { bodyField }),
    queryFields,
    successStatus: successStatusOf(method, refuse),
    isApplicationOptional: getOption(method, optional_application),
    ...(hasOption(method, deadline_ms) && { deadlineMs: getOption(method, deadline_ms) }),
    ...(hasOption(method, rate_limit) && { rateLimit: getOption(method, rate_limit) }),
  };
}

const httpMethods = { get: "GET", put: "PUT", post: "POST", delete: "DELETE", patch: "PATCH" } as const;

type Refuse = (why: string) => Error;

/** Between the slashes: words, and fields of the request. */
function pathParts(template: string, { input }: DescMethodUnary, refuse: Refuse): (string | DescField)[] {
  const [start, ...parts] = template.split("/");
  if (start !== "" || parts.length === 0) throw refuse(`the path ${template} must start with a slash`);
  return parts.map((part) => {
    if (/^[\w.-]+$/.test(part)) return part;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) throw refuse(`${part} in the path must be a word or one field in braces`);
    const field = input.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw refuse(`${input.typeName} has no field ${name}, which the path names`);
    if (field.fieldKind !== "scalar" && field.fieldKind !== "enum") {
      throw refuse(`${name} in the path must be one value, not a ${field.fieldKind}`);
    }
    return field;
  });
}

/** The field whose value a whole body can be. */
function oneMessage(name: string, { input }: DescMethodUnary, refuse: Refuse): DescField {
  const field = input.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw refuse(`${input.typeName} has no field ${name}, which the body names`);
  if (field.fieldKind !== "message") throw refuse(`${name} as the body must be one message, not a ${field.fieldKind}`);
  return field;
}

function joined(parts: readonly (string | DescField)[], spell: (field: DescField) => string): string {
  return parts.map((part) => `/${typeof part === "string" ? part : spell(part)}`).join("");
}

/** Finds at start, not at the first request, that a message holds what JSON has no form for. */
function prepareCodec({ input, output }: DescMethodUnary, refuse: Refuse): void {
  try {
    prepareToRead(input);
    writerOf(output);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

function successStatusOf(method: DescMethodUnary, refuse: Refuse): number {
  const status = getOption(method, success_status) || 200;
  if (status < 200 || status > 299) throw refuse(`success_status ${status} is not one of success`);
  if (status === 204 && method.output.fields.length > 0) {
    throw refuse(`success_status 204 has no body, but ${method.output.typeName} has fields`);
  }
  return status;
}

/** Whether the request only reads, whatever its HTTP method: nobody misses its answer when who asked has gone. */
export function isRead({ httpMethod, method }: Route): boolean {
  return httpMethod === "GET" || method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

/** Whether a client may give the request a name of its own and send it again: reads and deletions need no name for that. */
export function isRepeatable(route: Route): boolean {
  return !isRead(route) && route.httpMethod !== "DELETE";
}
