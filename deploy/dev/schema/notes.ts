// What options of ours say, as lines of comments of the published protos.

import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { ownMessagesOf } from "@ems/gateway/openapi/message-rules";
import { withReasons } from "@ems/gateway/openapi/reasons";
import { acceptsIdempotencyKey, type Route } from "@ems/gateway/rest/routes";
import { comments } from "@ems/proto/comments";
import { EventSchema, internal, published_by, type as typeOption } from "@ems/proto/events/v1/event";
import { rulesOfField } from "./rule-text.ts";

/** The comments of the published protos, by full name. */
export function publishedComments(routes: readonly Route[]): Map<string, string> {
  const result = new Map(Object.entries(comments).map(([name, text]) => [name, withReasons(text, "grpc")]));
  const add = (name: string, lines: readonly string[]) => {
    const text = result.get(name) ?? "";
    if (lines.length > 0) result.set(name, [text, lines.join("\n")].filter((part) => part !== "").join("\n\n"));
  };
  const byMethod = Map.groupBy(routes, ({ method }) => method);
  for (const [method, ofMethod] of byMethod) add(`${method.parent.typeName}.${method.name}`, routeLines(ofMethod));
  for (const message of requestMessages(routes)) {
    add(message.typeName, rules(ownMessagesOf(message).join("; ")));
    for (const field of message.fields) add(`${message.typeName}.${field.name}`, rules(rulesOfField(field)));
  }
  for (const field of EventSchema.fields.filter(({ oneof }) => oneof !== undefined)) {
    if (!getOption(field, internal)) add(`${EventSchema.typeName}.${field.name}`, eventLines(field));
  }
  return result;
}

function routeLines(routes: readonly Route[]): string[] {
  const [first] = routes;
  if (first === undefined) return [];
  const paths = routes.map(({ httpMethod, path }) => `${httpMethod} ${path}`);
  return [
    `REST: ${paths.join("; ")}, ${first.successStatus}.`,
    ...(first.rateLimit === undefined ? [] : [`Rate limit: ${first.rateLimit}, beside those of all requests.`]),
    ...(acceptsIdempotencyKey(first) ? ["Takes an idempotency key."] : []),
    ...(first.isApplicationOptional ? ["The application is optional."] : []),
  ];
}

function eventLines(field: DescField): string[] {
  return [`Event type: ${getOption(field, typeOption)}; published by ${getOption(field, published_by)}.`];
}

function rules(text: string): string[] {
  return text === "" ? [] : [`Rules: ${text.replace(/\.$/, "")}.`];
}

/** The messages that requests consist of: in answers, rules tell the server. */
function requestMessages(routes: readonly Route[]): Set<DescMessage> {
  const result = new Set<DescMessage>();
  const visit = (message: DescMessage) => {
    if (result.has(message) || !message.typeName.startsWith("ems.")) return;
    result.add(message);
    for (const field of message.fields) if (field.message !== undefined) visit(field.message);
  };
  for (const { method } of routes) visit(method.input);
  return result;
}
