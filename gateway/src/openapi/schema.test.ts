import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { idRules, type MessageSpec, protoFixture } from "@ems/test-support/proto-fixture";
import { Thing } from "@ems/test-support/thing-fixture";
import { expect, test } from "vitest";
import { NamedSchemas } from "./named-schemas.ts";
import { requestSchema, responseSchema } from "./schema.ts";

type Side = (schemas: NamedSchemas, message: DescMessage) => JsonObject;
const nestedSchema: Side = (schemas, message) => responseSchema(schemas, message, false);

function buildSchema(message: DescMessage, side: Side): JsonObject {
  const schemas = new NamedSchemas();
  side(schemas, message);
  return schemas.toJson()[message.name] ?? {};
}

function fixture(fields: MessageSpec["fields"], more: Record<string, MessageSpec> = {}): DescMessage {
  const messages = { Fields: { fields }, Inner: { fields: { name: { type: "STRING" } } }, ...more };
  return protoFixture({ enums: { Color: ["RED", "BLUE"] }, messages }).message("Fields");
}

const withoutNul = "^[^\\u0000]*$";

test("every kind of value has a schema in requests and responses", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const nullable = (schema: JsonObject) => ({ anyOf: [schema, { type: "null" }] });
  // Enums of words have inline schemas, so they are not in the list of named ones.
  const orders = ["createdAt", "timestamp", "title", "status", "id"];
  expect(buildSchema(Thing, requestSchema).properties).toMatchObject({
    text: { type: ["string", "null"] },
    nickName: { type: ["string", "null"] },
    flag: { type: ["boolean", "null"] },
    count: { type: ["integer", "null"], format: "int32" },
    total: { type: ["integer", "null"], format: "int64", maximum: Number.MAX_SAFE_INTEGER },
    skip: { type: ["integer", "null"], minimum: 0 },
    limit: { type: ["integer", "null"], exclusiveMaximum: 100 },
    score: { type: ["number", "null"], format: "double" },
    data: { type: ["string", "null"], contentEncoding: "base64" },
    status: nullable(ref("Status")),
    nextStatus: { type: ["string", "null"], enum: ["DRAFT", "ACTIVE", null] },
    statuses: { type: ["array", "null"], items: ref("Status") },
    order: { type: ["string", "null"], enum: [...orders, null] },
    orders: { type: ["array", "null"], items: { type: "string", enum: orders } },
    at: { type: ["string", "null"], format: "date-time" },
    meta: { type: ["object", "null"], additionalProperties: true },
    any: {},
    few: { type: ["array", "null"], items: { type: "string" }, maxItems: 2 },
    headers: { type: ["object", "null"], additionalProperties: { type: "string" } },
    inner: nullable(ref("Inner")),
    inners: { type: ["array", "null"], items: ref("Inner") },
    byName: { type: ["object", "null"], additionalProperties: ref("Inner") },
  });
  expect(buildSchema(Thing, nestedSchema).properties).toMatchObject({
    text: { type: "string" },
    nickName: { type: ["string", "null"] },
    flag: { type: "boolean" },
    count: { type: "integer", format: "int32" },
    total: { type: "integer", format: "int64" },
    score: { type: ["number", "null"], format: "double" },
    data: { type: "string", contentEncoding: "base64" },
    status: ref("Status"),
    nextStatus: { type: ["string", "null"], enum: ["DRAFT", "ACTIVE", null] },
    statuses: { type: "array", items: ref("Status") },
    at: { type: "string", format: "date-time" },
    meta: { type: ["object", "null"], additionalProperties: true },
    any: {},
    few: { type: "array", items: { type: "string" }, maxItems: 2 },
    headers: { type: "object", additionalProperties: { type: "string" } },
    inner: nullable(ref("Inner")),
    inners: { type: "array", items: ref("Inner") },
    byName: { type: "object", additionalProperties: ref("Inner") },
  });
});

test("an inline message has the schema of its list or map, in requests nullable", () => {
  const rules: MessageSpec["fields"][string]["rules"] = { type: { case: "map", value: { maxPairs: 2n } } };
  const Texts: MessageSpec = { isInline: true, fields: { by_name: { type: "STRING", isMap: true, rules } } };
  const desc = fixture({ texts: { type: "Texts" } }, { Texts });
  const map = (values: JsonObject) => ({ additionalProperties: values, maxProperties: 2 });
  const request = { type: ["object", "null"], ...map({ type: "string", pattern: withoutNul }) };
  expect(buildSchema(desc, requestSchema).properties).toEqual({ texts: request });
  expect(buildSchema(desc, nestedSchema).properties).toEqual({ texts: { type: "object", ...map({ type: "string" }) } });
});

test("all fields of a response are required, except members of a oneof and free values", () => {
  const { required } = buildSchema(Thing, responseSchema);
  const names = Thing.fields.map(({ jsonName }) => jsonName);
  expect(required).toEqual(names.filter((name) => !["any", "left", "right"].includes(name)));
});

test("an envelope's contents are not null unless declared optional", () => {
  const message = fixture({
    data: { type: "Inner" },
    extra: { type: "Inner", isOptional: true },
    at: { type: "google.protobuf.Timestamp", isOptional: true },
  });
  expect(buildSchema(message, responseSchema).properties).toEqual({
    data: { $ref: "#/components/schemas/Inner" },
    extra: { anyOf: [{ $ref: "#/components/schemas/Inner" }, { type: "null" }] },
    at: { type: ["string", "null"], format: "date-time" },
  });
});

test("a message in a response may be null unless it is required", () => {
  const message = fixture({ maybe: { type: "Inner" }, always: { type: "Inner", rules: { required: true } } });
  expect(buildSchema(message, nestedSchema).properties).toEqual({
    maybe: { anyOf: [{ $ref: "#/components/schemas/Inner" }, { type: "null" }] },
    always: { $ref: "#/components/schemas/Inner" },
  });
});

test("fields that must not be empty are required, by `required` or by another rule", () => {
  const message = fixture({
    name: { type: "STRING", rules: { required: true } },
    id: { type: "STRING", rules: idRules() },
    ids: { type: "STRING", isRepeated: true, rules: { type: { case: "repeated", value: { minItems: 1n } } } },
    note: { type: "STRING", isOptional: true, rules: { type: { case: "string", value: { minLen: 1n } } } },
    color: { type: "Color" },
  });
  expect(buildSchema(message, requestSchema)).toMatchObject({
    required: ["name", "id", "ids"],
    properties: {
      name: { type: "string", minLength: 1 },
      id: { type: "string", format: "uuid" },
      ids: { type: "array", minItems: 1 },
      note: { type: ["string", "null"], minLength: 1 },
    },
  });
});

test("rules of strings, items and keys are keywords", () => {
  const text = (value: object) => ({ type: { case: "string", value } }) as const;
  const message = fixture({
    link: { type: "STRING", rules: text({ maxLen: 2048n, wellKnown: { case: "uri", value: true } }) },
    code: { type: "STRING", rules: text({ len: 3n, pattern: "^[A-Z]+$", notIn: ["XXX"] }) },
    kind: { type: "STRING", rules: text({ in: ["a", "b"] }) },
    ids: {
      type: "STRING",
      isRepeated: true,
      rules: { type: { case: "repeated", value: { maxItems: 100n, unique: true, items: idRules() } } },
    },
    headers: {
      type: "STRING",
      isMap: true,
      rules: {
        type: { case: "map", value: { maxPairs: 20n, keys: text({ maxLen: 64n }), values: text({ maxLen: 9n }) } },
      },
    },
  });
  expect(buildSchema(message, requestSchema).properties).toEqual({
    link: { type: "string", format: "uri", maxLength: 2048 },
    code: { type: "string", minLength: 3, maxLength: 3, pattern: "^[A-Z]+$", not: { enum: ["XXX"] } },
    kind: { type: "string", enum: ["a", "b"] },
    ids: { type: ["array", "null"], items: { type: "string", format: "uuid" }, maxItems: 100, uniqueItems: true },
    headers: {
      type: ["object", "null"],
      additionalProperties: { type: "string", maxLength: 9, pattern: withoutNul },
      maxProperties: 20,
      propertyNames: { maxLength: 64 },
    },
  });
});

test("in responses, UUIDs are recognized by the field's name", () => {
  const message = fixture({
    id: { type: "STRING" },
    topic_id: { type: "STRING", isOptional: true },
    task_ids: { type: "STRING", isRepeated: true },
    org_id: { type: "STRING" },
    valid: { type: "STRING" },
  });
  expect(buildSchema(message, responseSchema).properties).toEqual({
    id: { type: "string", format: "uuid" },
    topicId: { type: ["string", "null"], format: "uuid" },
    taskIds: { type: "array", items: { type: "string", format: "uuid" } },
    orgId: { type: "string" },
    valid: { type: "string" },
  });
});

test("a message in requests and responses has two schemas, and a recursive one refers to itself", () => {
  const node = { fields: { parent: { type: "Node" }, name: { type: "STRING", isOptional: true } } };
  const message = protoFixture({ messages: { Node: node } }).message("Node");
  const schemas = new NamedSchemas();
  responseSchema(schemas, message);
  requestSchema(schemas, message);
  expect(schemas.toJson()).toMatchObject({
    Node: { required: ["parent", "name"] },
    NodeInput: {
      properties: { parent: { anyOf: [{ $ref: "#/components/schemas/NodeInput" }, { type: "null" }] } },
      additionalProperties: false,
    },
  });
});

test("a sparse message's optional fields may be absent, never null; internal fields are omitted", () => {
  const fields: MessageSpec["fields"] = {
    name: { type: "STRING" },
    nick_name: { type: "STRING", isOptional: true },
    at: { type: "google.protobuf.Timestamp" },
    begun: { type: "google.protobuf.Timestamp", rules: { required: true } },
    hidden: { type: "STRING", isInternal: true },
  };
  const { message } = protoFixture({ messages: { Sparse: { isSparse: true, fields } } });
  expect(buildSchema(message("Sparse"), nestedSchema)).toEqual({
    type: "object",
    properties: {
      name: { type: "string" },
      nickName: { type: "string" },
      at: { type: "string", format: "date-time" },
      begun: { type: "string", format: "date-time" },
    },
    required: ["name", "begun"],
  });
  expect(buildSchema(message("Sparse"), requestSchema).properties).not.toHaveProperty("hidden");
});

test("a free value has the types and lengths that its rules accept, and a message lists the rules without a keyword", () => {
  const cel = (message: string, expression: string) => ({ id: "any.rule", message, expression });
  const isText = "type(this) == string && size(this) >= 1 && size(this) <= 255";
  const message = fixture({
    anything: { type: "google.protobuf.Value" },
    name: {
      type: "google.protobuf.Value",
      rules: { cel: [cel("A text or null", `type(this) == null_type || (${isText})`)] },
    },
    share: { type: "google.protobuf.Value", rules: { cel: [cel("A number", "type(this) == double")] } },
  });
  expect(buildSchema(message, requestSchema)).toMatchObject({
    properties: {
      anything: {},
      name: { type: ["string", "null"], minLength: 1, maxLength: 255 },
      share: { type: "number" },
    },
    "x-rules": ["A text or null", "A number"],
  });
});
