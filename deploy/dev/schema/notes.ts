// Converts our custom proto options to comment lines in the published protos, which have no such options.

import { type DescEnum, type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { listOwnRuleMessages } from "@ems/gateway/openapi/message-rules";
import { withReasons } from "@ems/gateway/openapi/reasons";
import { acceptsIdempotencyKey, type Route } from "@ems/gateway/rest/routes";
import { isOfWords, valueName } from "@ems/kit/enum";
import { comments } from "@ems/proto/comments";
import { EventSchema, internal, published_by, type as typeOption } from "@ems/proto/events/v1/event";
import { rulesOfField } from "./rule-text.ts";

/** Returns the comments of the published protos, with added lines on routes, rules and REST names, by full name. */
export function publishedComments(routes: readonly Route[]): Map<string, string> {
  const result = new Map(Object.entries(comments).map(([name, text]) => [name, withReasons(text, "grpc")]));
  const add = (name: string, lines: readonly string[]) => {
    const text = result.get(name) ?? "";
    if (lines.length > 0) result.set(name, [text, lines.join("\n")].filter((part) => part !== "").join("\n\n"));
  };
  const byMethod = Map.groupBy(routes, ({ method }) => method);
  for (const [method, ofMethod] of byMethod) add(`${method.parent.typeName}.${method.name}`, routeLines(ofMethod));
  // Add rules only to request messages, because responses are not validated.
  for (const message of listMessages(routes.map(({ method }) => method.input))) {
    add(message.typeName, rules(listOwnRuleMessages(message).join("; ")));
    for (const field of message.fields) add(`${message.typeName}.${field.name}`, rules(rulesOfField(field)));
  }
  for (const desc of listEnums(listMessages(routes.flatMap(({ method }) => [method.input, method.output])))) {
    for (const value of isOfWords(desc) ? desc.values : []) {
      const word = valueName(value);
      if (word !== undefined) add(`${desc.typeName}.${value.name}`, [`REST: ${word}.`]);
    }
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
    ...(first.rateLimit === undefined ? [] : [`Rate limit: ${first.rateLimit}, in addition to those of all requests.`]),
    ...(acceptsIdempotencyKey(first) ? ["Accepts an idempotency key."] : []),
    ...(first.isApplicationOptional ? ["The application is optional."] : []),
  ];
}

function eventLines(field: DescField): string[] {
  return [`Event type: ${getOption(field, typeOption)}; published by ${getOption(field, published_by)}.`];
}

function rules(text: string): string[] {
  return text === "" ? [] : [`Rules: ${text.replace(/\.$/, "")}.`];
}

/** Lists the messages in `roots`, including nested ones. */
function listMessages(roots: readonly DescMessage[]): Set<DescMessage> {
  const result = new Set<DescMessage>();
  const visit = (message: DescMessage) => {
    if (result.has(message) || !message.typeName.startsWith("ems.")) return;
    result.add(message);
    for (const field of message.fields) if (field.message !== undefined) visit(field.message);
  };
  for (const root of roots) visit(root);
  return result;
}

function listEnums(messages: ReadonlySet<DescMessage>): Set<DescEnum> {
  return new Set([...messages].flatMap(({ fields }) => fields.flatMap((field) => field.enum ?? [])));
}
