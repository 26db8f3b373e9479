import { create, fromJson } from "@bufbuild/protobuf";
import { ListValueSchema, timestampFromMs, ValueSchema } from "@bufbuild/protobuf/wkt";
import { GlobalConfigSchema } from "@ems/proto/catalog/v1/eval_definition";
import { GetTopicResponseSchema, TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import { WordCase } from "@ems/proto/rest/v1/rest";
import { type FieldSpec, protoFixture } from "@ems/test-support/proto-fixture";
import { expect, test } from "vitest";
import { getWriter, writeJson } from "./write.ts";

const fields: Record<string, FieldSpec> = {
  text: { type: "STRING" },
  nick_name: { type: "STRING", isOptional: true },
  total: { type: "INT64" },
  score: { type: "DOUBLE" },
  data: { type: "BYTES" },
  status: { type: "Status" },
  statuses: { type: "Status", isRepeated: true },
  order: { type: "Order" },
  orders: { type: "Order", isRepeated: true },
  at: { type: "google.protobuf.Timestamp" },
  meta: { type: "google.protobuf.Struct" },
  any: { type: "google.protobuf.Value" },
  list: { type: "google.protobuf.ListValue" },
  headers: { type: "STRING", isMap: true },
  left: { type: "STRING", oneof: "side" },
  right: { type: "INT64", oneof: "side" },
};
const { message } = protoFixture({
  enums: { Status: ["DRAFT", "ACTIVE"], Order: ["CREATED_AT", "ID"] },
  wordCases: { Order: WordCase.CAMEL },
  messages: { Thing: { fields } },
});
const Thing = message("Thing");

test("a topic is written as the API returns it", () => {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";
  const data = {
    id,
    applicationId: id,
    orgId: "org",
    title: "Refunds",
    status: TopicStatus.DRAFT,
    isInScope: true,
    createdAt: timestampFromMs(1_700_000_000_000),
    modifiedAt: timestampFromMs(1_700_000_000_123),
    taskCount: 9007199254740991n,
    evalDefinitions: [{ topicId: id, config: {} }],
  };
  expect(writeJson(GetTopicResponseSchema, create(GetTopicResponseSchema, { data }))).toStrictEqual({
    data: {
      id,
      applicationId: id,
      orgId: "org",
      title: "Refunds",
      baseline: null,
      status: "DRAFT",
      isInScope: true,
      isTasksVerified: false,
      isDocumentsVerified: false,
      isKnowledgeBaseVerified: false,
      isPoliciesVerified: false,
      createdAt: "2023-11-14T22:13:20.000Z",
      modifiedAt: "2023-11-14T22:13:20.123Z",
      assignedTo: null,
      assignedUser: null,
      evalDefinitions: [{ topicId: id, evalDefinition: null, config: {} }],
      taskCount: 9007199254740991,
      documentCount: 0,
    },
  });
});

test("an empty message has defaults for values that cannot be unset, null for others, and no oneof member", () => {
  expect(writeJson(Thing, create(Thing))).toStrictEqual({
    text: "",
    nickName: null,
    total: 0,
    score: 0,
    data: "",
    status: null,
    statuses: [],
    order: null,
    orders: [],
    at: null,
    meta: null,
    // Null, since the field is not of type `any`, where null would be a value.
    list: null,
    headers: {},
  });
});

test.each<[init: Record<string, unknown>, json: Record<string, unknown>]>([
  [{ nickName: "" }, { nickName: "" }],
  [{ nickName: undefined }, { nickName: null }],
  [{ total: -5n }, { total: -5 }],
  [{ score: Number.NaN }, { score: null }],
  [{ score: Number.POSITIVE_INFINITY }, { score: null }],
  [{ data: new Uint8Array([0, 255]) }, { data: "AP8=" }],
  [
    { status: 2, statuses: [1, 2] },
    { status: "ACTIVE", statuses: ["DRAFT", "ACTIVE"] },
  ],
  [
    { order: 1, orders: [2, 1] },
    { order: "createdAt", orders: ["id", "createdAt"] },
  ],
  // A newer service may send enum values that are unknown here.
  [
    { status: 9, statuses: [9] },
    { status: null, statuses: [null] },
  ],
  [{ at: { seconds: -1n, nanos: 999_999_999 } }, { at: "1969-12-31T23:59:59.999Z" }],
  [{ at: timestampFromMs(0) }, { at: "1970-01-01T00:00:00.000Z" }],
  [{ meta: { a: [1, null, { b: "c" }] } }, { meta: { a: [1, null, { b: "c" }] } }],
  [{ any: fromJson(ValueSchema, null) }, { any: null }],
  [{ any: fromJson(ValueSchema, { a: [1] }) }, { any: { a: [1] } }],
  [{ any: create(ValueSchema) }, { any: null }],
  [{ list: fromJson(ListValueSchema, [1, "a"]) }, { list: [1, "a"] }],
  [{ headers: { b: "1", a: "2" } }, { headers: { b: "1", a: "2" } }],
  [{ side: { case: "left", value: "" } }, { left: "" }],
  [{ side: { case: "right", value: 7n } }, { right: 7 }],
])("%o is written as %j", (init, json) => {
  expect(writeJson(Thing, create(Thing, init))).toMatchObject(json);
});

test("`__proto__` is a key of a map like any other", () => {
  const headers = JSON.parse('{"__proto__": "x"}');
  expect(JSON.stringify(writeJson(Thing, create(Thing, { headers })))).toContain('"headers":{"__proto__":"x"}');
});

test("preparing a type with a field that has no JSON form throws", () => {
  const bad = protoFixture({ messages: { Bad: { fields: { took: { type: "google.protobuf.Duration" } } } } });
  expect(() => getWriter(bad.message("Bad"))).toThrow(
    "fixture.Bad.took: this API's JSON has no form for google.protobuf.Duration",
  );
});

test("unset fields of a sparse message are omitted", () => {
  const config = create(GlobalConfigSchema, { type: "list", passThreshold: 0 });
  expect(writeJson(GlobalConfigSchema, config)).toStrictEqual({ type: "list", passThreshold: 0 });
  expect(writeJson(GlobalConfigSchema, create(GlobalConfigSchema))).toStrictEqual({});
});
