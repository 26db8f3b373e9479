// The RPC of each REST operation, and an operation's request as the message of its RPC.

import { type DescMethod, type DescMethodUnary, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { readJson } from "@ems/kit/json/read";
import { writeJson } from "@ems/kit/json/write";
import { http } from "@ems/proto/google/api/annotations";
import { raw_body, raw_response, streamed_response } from "@ems/proto/rest/v1/rest";
import { services } from "@ems/proto/services";
import type { Operation } from "../../client-reference/operations.ts";
import type { Request } from "../../client-reference/requests.ts";

const camelCase = (path: string) => path.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** RPCs by operation, such as `GET /v0/topics/{id}`. Binary bodies and answers are left out: they have no JSON form. */
export const rpcs: ReadonlyMap<string, DescMethodUnary> = new Map(
  services.flatMap((service) =>
    service.methods.flatMap((method) => {
      if (!isUnary(method) || !hasOption(method, http)) return [];
      if ([raw_body, raw_response, streamed_response].some((option) => getOption(method, option))) return [];
      const rule = getOption(method, http);
      return [rule, ...rule.additionalBindings].map(({ pattern }): [string, DescMethodUnary] => [
        `${pattern.case?.toUpperCase()} ${camelCase(String(pattern.value))}`,
        method,
      ]);
    }),
  ),
);

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

/** REST and gRPC form of one generated request. */
export interface Pair {
  readonly request: Request;
  readonly message: Message;
}

/** Returns undefined if protobuf cannot express the request: text in place of a number, an unknown field, no body. */
export function getPair(operation: Operation, method: DescMethodUnary, request: Request): Pair | undefined {
  const { body = {} } = request;
  if (operation.body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body)))
    return undefined;
  const { message, issues } = readJson(method.input, operation.body === undefined ? {} : body, {
    text: { ...getTexts(request.path), ...getTexts(request.query) },
  });
  if (issues.length === 0) return { request, message };
  if (operation.body === undefined || !issues.every(({ message: fault }) => fault === "Required")) return undefined;
  // Absent fields are empty in protobuf.
  const empty = Object.entries(writeJson(method.input, message)).filter(([name]) => !(name in request.path));
  return { request: { ...request, body: Object.fromEntries(empty) }, message };
}

/** Returns the parameters as texts, without those that have no value. */
function getTexts(parameters: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const texts = Object.entries(parameters).map(([name, value]) => [name, [value].flat().map(String)] as const);
  const nonEmpty = texts.map(([name, values]) => [name, values.filter((text) => text !== "")] as const);
  return Object.fromEntries(nonEmpty.filter(([, values]) => values.length > 0));
}
