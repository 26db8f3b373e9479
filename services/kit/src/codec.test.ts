import { create, equals, fromBinary, type JsonObject } from "@bufbuild/protobuf";
import { CreateTaskRequestSchema } from "@ems/proto/catalog/v1/task_service";
import { EventSchema } from "@ems/proto/events/v1/event";
import { IngestEventsRequestSchema } from "@ems/proto/experiments/v1/ingest_service";
import { ListTracesResponseSchema } from "@ems/proto/experiments/v1/trace_service";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMessage, encodeMessage, messageFromJson, messageToJson } from "./codec.ts";
import { parseJson } from "./json/exact-number.ts";
import { fromValue, toValue } from "./json/free-value.ts";
import { readJson } from "./json/read.ts";
import { writeJson } from "./json/write.ts";

const text = `{"id":9054686819491029395,"list":[1,{"n":18446744073709551615},0.12345678901234567891,"9007199254740993"],
  "__proto__":{"constructor":1983516295378495150}}`;
const json = JSON.stringify(parseJson(text));
const object = () => parseJson(text) as JsonObject;

test("numbers keep their digits in structs and values, within lists and members of a oneof", () => {
  const request = readJson(IngestEventsRequestSchema, {
    events: [{ type: "trace" }, { type: "log", input: object() }],
  });
  const decoded = decodeMessage(IngestEventsRequestSchema, encodeMessage(IngestEventsRequestSchema, request.message));
  expect(JSON.stringify(writeJson(IngestEventsRequestSchema, decoded))).toContain(`"input":${json}`);

  const event = create(EventSchema, { data: { case: "taskArchived", value: { metadata: object() } } });
  const { data } = decodeMessage(EventSchema, encodeMessage(EventSchema, event));
  expect(JSON.stringify(data.case === "taskArchived" && data.value.metadata)).toBe(json);

  const id = parseJson("9054686819491029395");
  const page = create(ListTracesResponseSchema, { data: [{}, { metadata: toValue(id), evals: [{ score: id }] }] });
  const [, trace] = decodeMessage(ListTracesResponseSchema, encodeMessage(ListTracesResponseSchema, page)).data;
  expect(JSON.stringify([trace?.metadata && fromValue(trace.metadata), trace?.evals])).toBe(
    '[9054686819491029395,[{"score":9054686819491029395}]]',
  );
});

test("readers that do not know the digits' field get doubles", () => {
  const message = create(CreateTaskRequestSchema, { title: "t", metadata: object() });
  const bytes = encodeMessage(CreateTaskRequestSchema, message);
  const { metadata } = fromBinary(CreateTaskRequestSchema, bytes);
  expect(metadata).toEqual(JSON.parse(text));
  // The message is as before: services share it with other requests of the process.
  expect(JSON.stringify(message.metadata)).toBe(json);
  expect(message.$unknown).toBeUndefined();
});

test("a message without such numbers is encoded as by the library, and other unknown fields stay", () => {
  const message = create(CreateTaskRequestSchema, { title: "t", metadata: { a: 1 } });
  message.$unknown = [{ no: 1_000, wireType: 0, data: Uint8Array.of(7) }];
  const decoded = decodeMessage(CreateTaskRequestSchema, encodeMessage(CreateTaskRequestSchema, message));
  expect(equals(CreateTaskRequestSchema, decoded, message)).toBe(true);
  message.metadata = object();
  const exact = decodeMessage(CreateTaskRequestSchema, encodeMessage(CreateTaskRequestSchema, message));
  expect(exact.$unknown).toEqual(message.$unknown);
});

test("protobuf's JSON has the digits, by either name of a field", () => {
  const sent = parseJson(`{"title":"t","simulated_prompt_schema":${json},"metadata":${json}}`);
  const message = messageFromJson(CreateTaskRequestSchema, sent);
  expect(JSON.stringify(messageToJson(CreateTaskRequestSchema, message))).toBe(
    `{"title":"t","metadata":${json},"simulatedPromptSchema":${json}}`,
  );
});

test("any free JSON is the same after a journey", () => {
  const digits = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String);
  const written = fc
    .tuple(digits, fc.jsonValue({ maxDepth: 3 }))
    .map(([id, value]) => `{"id":${id},"outer":${JSON.stringify({ value })},"list":[${id}]}`);
  fc.assert(
    fc.property(written, (sent) => {
      const metadata = parseJson(sent) as JsonObject;
      const message = create(CreateTaskRequestSchema, { metadata });
      const decoded = decodeMessage(CreateTaskRequestSchema, encodeMessage(CreateTaskRequestSchema, message));
      const read = messageFromJson(CreateTaskRequestSchema, messageToJson(CreateTaskRequestSchema, decoded));
      expect(JSON.stringify(read.metadata)).toBe(JSON.stringify(metadata));
    }),
  );
});

test("digits that are not those of the double at their path are ignored", () => {
  const exact = create(CreateTaskRequestSchema, { metadata: { n: parseJson("9054686819491029395") } });
  const [digits] = fromBinary(CreateTaskRequestSchema, encodeMessage(CreateTaskRequestSchema, exact)).$unknown ?? [];
  if (digits === undefined) throw new Error("no digits");
  const double = Number("9054686819491029395");
  for (const metadata of [{ n: 2 }, { n: "text" }, { n: { n: double } }, { m: double }]) {
    const message = create(CreateTaskRequestSchema, { metadata });
    message.$unknown = [digits];
    const decoded = decodeMessage(CreateTaskRequestSchema, encodeMessage(CreateTaskRequestSchema, message));
    expect(decoded.metadata).toEqual(metadata);
  }
});
