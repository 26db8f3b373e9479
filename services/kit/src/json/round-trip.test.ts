import { type DescMessage, equals, fromBinary, toBinary } from "@bufbuild/protobuf";
import { EventSchema } from "@ems/proto/events/v1/event";
import { services } from "@ems/proto/services";
import { messageArbitrary } from "@ems/test-support/message-arbitrary";
import { protoFixture } from "@ems/test-support/proto-fixture";
import { publicMessages } from "@ems/test-support/public-messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "./read.ts";
import { writeJson } from "./write.ts";

/** Number of random messages per type; `npm run nightly` uses more. */
const numRuns = Number(process.env.ROUND_TRIP_RUNS ?? 20);

function expectRoundTrip(desc: DescMessage): void {
  fc.assert(
    fc.property(messageArbitrary(desc), (message) => {
      const text = JSON.stringify(writeJson(desc, message));
      const reading = readJson(desc, JSON.parse(text));
      expect(reading.issues).toEqual([]);
      expect(reading.message).toEqual(message);
      expect(equals(desc, fromBinary(desc, toBinary(desc, reading.message)), message)).toBe(true);
    }),
    { numRuns },
  );
}

const messages = publicMessages(services);

describe("written messages are read back unchanged, also through protobuf", () => {
  test("there are public messages", () => {
    expect(messages.map(({ typeName }) => typeName)).toContain("ems.catalog.v1.GetTopicResponse");
  });

  test.each([...messages, EventSchema].map((desc) => [desc.typeName, desc] as const))("%s", (_, desc) => {
    expectRoundTrip(desc);
  });

  test("every kind of field, in every possible place", () => {
    const fields = [...scalars, ...free, "Color", "Inner"].flatMap((type, index) => {
      const name = `f${index}_${type.toLowerCase().replaceAll(".", "_")}`;
      return [
        [name, { type }],
        [`${name}_optional`, { type, isOptional: true }],
        [`${name}_list`, { type, isRepeated: true }],
        [`${name}_map`, { type, isMap: true }],
        [`${name}_either`, { type, oneof: "either" }],
      ];
    });
    const { message } = protoFixture({
      enums: { Color: ["RED", "DARK_BLUE"] },
      messages: { Every: { fields: Object.fromEntries(fields) }, Inner: { fields: { name: { type: "STRING" } } } },
    });
    expectRoundTrip(message("Every"));
  });

  test("inline messages, in every possible place", () => {
    const fields = ["Texts", "Inners"].flatMap((type) => {
      const name = type.toLowerCase();
      return [
        [name, { type }],
        [`${name}_optional`, { type, isOptional: true }],
        [`${name}_list`, { type, isRepeated: true }],
        [`${name}_map`, { type, isMap: true }],
        [`${name}_either`, { type, oneof: "either" }],
      ];
    });
    const { message } = protoFixture({
      messages: {
        Every: { fields: Object.fromEntries(fields) },
        Texts: { isInline: true, fields: { items: { type: "STRING", isRepeated: true } } },
        Inners: { isInline: true, fields: { by_name: { type: "Inner", isMap: true } } },
        Inner: { fields: { name: { type: "STRING" } } },
      },
    });
    expectRoundTrip(message("Every"));
  });

  test("a recursive type", () => {
    const fields = { name: { type: "STRING" }, next: { type: "Node" }, children: { type: "Node", isRepeated: true } };
    expectRoundTrip(protoFixture({ messages: { Node: { fields } } }).message("Node"));
  });
});

const scalars = [
  ...["STRING", "BOOL", "BYTES", "DOUBLE", "FLOAT", "INT32", "SINT32", "SFIXED32", "UINT32", "FIXED32"],
  ...["INT64", "SINT64", "SFIXED64", "UINT64", "FIXED64"],
];
const free = ["Timestamp", "Struct", "Value", "ListValue"].map((name) => `google.protobuf.${name}`);
