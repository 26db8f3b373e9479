import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { encodeMessage } from "@ems/kit/codec";
import { parseJson } from "@ems/kit/json/exact-number";
import { fromValue, toValue } from "@ems/kit/json/free-value";
import { type IngestEventSchema, IngestEventsRequestSchema } from "@ems/proto/experiments/v1/ingest_service";
import { expect, test } from "vitest";
import { decodeInParts } from "./decode-message.ts";

const schema = IngestEventsRequestSchema;
const steps = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `step ${at}`, name: "é".repeat(20) }));

interface Case {
  readonly what: string;
  readonly events: MessageInitShape<typeof IngestEventSchema>[];
}

test.each<Case>([
  { what: "nothing", events: [] },
  { what: "a small message", events: [{ type: "trace", steps: steps(3) }] },
  { what: "many elements", events: Array.from({ length: 3_000 }, (_, at) => ({ type: "log", id: `${at}` })) },
  {
    what: "large elements between small ones",
    events: [
      { type: "log" },
      { type: "trace", metadata: { kind: { case: "stringValue", value: "a" } }, steps: steps(2_000) },
      { type: "llm" },
    ],
  },
])("$what: parts decode to the library's result", async ({ events }) => {
  const bytes = toBinary(schema, create(schema, { events }));
  expect(await decodeInParts(schema, bytes, async () => undefined)).toEqual(fromBinary(schema, bytes));
});

test("other requests run between the parts of a large message", async () => {
  const bytes = toBinary(schema, create(schema, { events: [{ type: "trace", steps: steps(5_000) }] }));
  let yielded = 0;
  await decodeInParts(schema, bytes, async () => void yielded++);
  expect(yielded).toBeGreaterThanOrEqual(10);
});

test("a truncated message is rejected like the library does", async () => {
  const bytes = toBinary(schema, create(schema, { events: [{ type: "trace", steps: steps(2_000) }] })).subarray(0, -5);
  const atOnce = () => fromBinary(schema, bytes);
  const message = /premature EOF/;
  expect(atOnce).toThrow(message);
  await expect(decodeInParts(schema, bytes, async () => undefined)).rejects.toThrow(message);
});

test("numbers that a double cannot hold have the digits that a client sent with them, in parts or at once", async () => {
  const id = parseJson('{"orderId":9054686819491029395}');
  for (const count of [1, 3_000]) {
    const events = Array.from({ length: count }, (_, at) => ({ type: "log", name: `${at}`, metadata: toValue(id) }));
    const message = create(schema, { events });
    message.$unknown = [{ no: 1_000, wireType: 0, data: Uint8Array.of(7) }];
    const decoded = (await decodeInParts(
      schema,
      encodeMessage(schema, message),
      async () => undefined,
    )) as typeof message;
    expect(decoded.events).toHaveLength(count);
    const written = decoded.events.map(({ metadata }) => JSON.stringify(metadata && fromValue(metadata)));
    expect(new Set(written)).toEqual(new Set(['{"orderId":9054686819491029395}']));
    expect(decoded.$unknown).toBeUndefined();
  }
});
