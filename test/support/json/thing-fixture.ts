// Test support: a message with every kind of request field.

import { WordCase } from "@ems/proto/rest/v1/rest";
import { type FieldSpec, protoFixture, type Rules } from "./proto-fixture.ts";

const required: Rules = { required: true };
const fields: Record<string, FieldSpec> = {
  text: { type: "STRING" },
  nick_name: { type: "STRING", isOptional: true },
  flag: { type: "BOOL" },
  count: { type: "INT32" },
  size: { type: "UINT32" },
  total: { type: "INT64" },
  big: { type: "UINT64" },
  skip: { type: "INT64", rules: { type: { case: "int64", value: { greaterThan: { case: "gte", value: 0n } } } } },
  limit: { type: "INT32", rules: { type: { case: "int32", value: { lessThan: { case: "lt", value: 100 } } } } },
  score: { type: "DOUBLE", isOptional: true },
  ratio: { type: "FLOAT" },
  data: { type: "BYTES" },
  status: { type: "Status" },
  next_status: { type: "Status", isOptional: true, rules: { type: { case: "enum", value: { in: [1, 2] } } } },
  statuses: { type: "Status", isRepeated: true },
  order: { type: "Order" },
  orders: { type: "Order", isRepeated: true },
  at: { type: "google.protobuf.Timestamp" },
  meta: { type: "google.protobuf.Struct" },
  any: { type: "google.protobuf.Value" },
  list: { type: "google.protobuf.ListValue" },
  tags: { type: "STRING", isRepeated: true },
  few: { type: "STRING", isRepeated: true, rules: { type: { case: "repeated", value: { maxItems: 2n } } } },
  sizes: { type: "INT32", isRepeated: true },
  headers: { type: "STRING", isMap: true },
  inner: { type: "Inner" },
  inners: { type: "Inner", isRepeated: true },
  by_name: { type: "Inner", isMap: true },
  left: { type: "STRING", oneof: "side" },
  right: { type: "Inner", oneof: "side" },
};

const { message, getEnum } = protoFixture({
  enums: { Status: ["DRAFT", "ACTIVE", "ARCHIVED"], Order: ["CREATED_AT", "TIMESTAMP", "TITLE", "STATUS", "ID"] },
  wordCases: { Order: WordCase.CAMEL },
  messages: {
    Thing: { fields },
    Inner: { fields: { name: { type: "STRING", rules: required }, item_ids: { type: "STRING", isRepeated: true } } },
    Strict: {
      fields: {
        name: { type: "STRING", rules: required },
        kind: { type: "Status", rules: required },
        inner: { type: "Inner", rules: required },
        list: { type: "STRING", isRepeated: true, rules: required },
        any: { type: "google.protobuf.Value", rules: required },
      },
    },
  },
});
export const Thing = message("Thing");

/** JSON names of the enum's values: createdAt, timestamp, title, status, id. */
export const Order = getEnum("Order");

/** All of its fields are required. */
export const Strict = message("Strict");
