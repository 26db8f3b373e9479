import {
  create,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  FieldDescriptorProtoSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { RecordResultsRequestSchema } from "@ems/proto/experiments/v1/test_service";
import { TraceSchema, TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import { expect, test } from "vitest";
import { messageBytes } from "./message-bytes.ts";

const check = <Desc extends DescMessage>(desc: Desc, init: MessageInitShape<Desc>) => {
  const message = create(desc, init);
  expect([desc.typeName, init, messageBytes(desc, message)]).toEqual([
    desc.typeName,
    init,
    toBinary(desc, message).length,
  ]);
};

test("values of each type, at the edges of varints", () => {
  for (const value of [0, 1, 127, 128, 16_383, 16_384, 2 ** 21 - 1, 2 ** 21, 2 ** 28, 2 ** 31 - 1, -1]) {
    check(Int32ValueSchema, { value });
    if (value >= 0) check(UInt32ValueSchema, { value });
    check(DoubleValueSchema, { value });
    check(FloatValueSchema, { value });
  }
  check(DoubleValueSchema, { value: -0 });
  for (let bits = 0n; bits < 63n; bits++) {
    for (const value of [2n ** bits - 1n, 2n ** bits, -(2n ** bits)]) check(Int64ValueSchema, { value });
    check(UInt64ValueSchema, { value: 2n ** (bits + 1n) - 1n });
  }
  for (const text of ["", "a", "é", "🙂".repeat(32), "x".repeat(128), "x".repeat(20_000)]) {
    check(StringValueSchema, { value: text });
    check(BytesValueSchema, { value: Buffer.from(text) });
  }
  check(BoolValueSchema, { value: true });
  check(BoolValueSchema, { value: false });
});

const json: JsonValue[] = [
  ...[null, true, false, 0, -1.5, "", "text", "é".repeat(100), [], {}, [null, [], [1, "x".repeat(200)]]],
  { "": "", a: { b: [{ c: null }], long: "x".repeat(20_000) }, é: {} },
];

test.each(json.map((value) => [value]))("free JSON, as a Struct and as a Value: %j", (value) => {
  const message = fromJson(ValueSchema, value);
  expect(messageBytes(ValueSchema, message)).toBe(toBinary(ValueSchema, message).length);
  check(TraceStepSchema, { metadata: message, params: message });
  check(TraceSchema, { evals: [{ value }] });
  check(StructSchema, { fields: { value: message } });
  check(ListValueSchema, { values: [message, message] });
});

test("messages with lists, enums, optional and nested fields", () => {
  const tokens = { input: 300n, output: 0n };
  const usage = { promptTokens: 300n };
  const step = { id: "s", type: "llm", durationMs: 0n, costAmount: 0, usage, timestamp: { seconds: 1n, nanos: 5 } };
  check(TraceSchema, {});
  check(TraceSchema, { id: "t", tokens, referenceId: "", steps: [step, { ...step, name: "" }] });
  check(RecordResultsRequestSchema, {
    run: { type: 2 },
    tests: [{ taskId: "t", score: 0, evaluations: [{ definitionId: "d", status: 3, passed: false }] }],
  });
  // A proto2 type: fields have presence by the syntax, and lists are both packed and unpacked.
  check(FieldDescriptorProtoSchema, { name: "", number: 0, options: { packed: false, targets: [1, 2], lazy: true } });
});
