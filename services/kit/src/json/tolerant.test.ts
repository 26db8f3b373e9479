import { create, toJson } from "@bufbuild/protobuf";
import { protoFixture } from "@ems/test-support/proto-fixture";
import { expect, test } from "vitest";
import { readValidated } from "./read-validated.ts";
import { findViolations } from "./validate.ts";
import { writeJson } from "./write.ts";

const short = { type: { case: "string", value: { maxLen: 3n } } } as const;
const { message } = protoFixture({
  messages: {
    Batch: {
      fields: {
        events: {
          type: "Event",
          isRepeated: true,
          tolerant: "rejected",
          rules: { type: { case: "repeated", value: { minItems: 1n, maxItems: 5n } } },
        },
        name: { type: "STRING", isOptional: true },
      },
    },
    Event: {
      isSparse: true,
      fields: {
        name: { type: "STRING", rules: short },
        count: { type: "INT32", isOptional: true },
        inner: { type: "Inner" },
        rejected: { type: "STRING", isOptional: true, isInternal: true },
      },
    },
    Inner: { fields: { label: { type: "STRING", isOptional: true, rules: short } } },
  },
});
const [Batch, Event] = [message("Batch"), message("Event")];

test.each([
  ["x", "Expected object, received string"],
  [{ count: "1" }, "count: Expected number, received string"],
  [{ nope: 1 }, "nope: Unrecognized key(s) in object: 'nope'"],
  [{ rejected: "x" }, "rejected: Unrecognized key(s) in object: 'rejected'"],
  [{ name: "long" }, "name: String must contain at most 3 character(s)"],
  [{ inner: { label: "long" } }, "inner.label: String must contain at most 3 character(s)"],
  [{ name: 1, count: 1.5 }, "name: Expected string, received number; count: Expected integer, received float"],
])("an invalid element contains its error, and the others stay: %j", (bad, rejected) => {
  const reading = readValidated(Batch, { events: [{ name: "a" }, bad, { name: "b" }] });
  expect(reading.issues).toEqual([]);
  expect(toJson(Batch, reading.message)).toEqual({ events: [{ name: "a" }, { rejected }, { name: "b" }] });
});

test("an element's error has at most 200 characters and counts omitted issues", () => {
  const long = "n".repeat(300);
  const bad = [
    { [long]: 1 },
    Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field${index}`, 1])),
    { inner: { [long]: 1, [`${long}2`]: 1 }, name: 1 },
  ];
  const { message } = readValidated(Batch, { events: bad });
  const { events } = toJson(Batch, message) as { events: { rejected: string }[] };
  const [unknown, many, nested] = events.map(({ rejected }) => rejected);
  for (const text of [unknown, many, nested]) expect(text?.length).toBeLessThanOrEqual(200);
  expect(unknown).toMatch(/^n+…n+…: Unrecognized key\(s\) in object: 'n+…'$/);
  expect(many).toMatch(/^field0: Unrecognized key\(s\) in object: 'field0'; field1: .*; 299\d more$/);
  expect(nested).toMatch(/^inner\.n+…n+…: Unrecognized key/);
});

test.each([
  [{}, ["events"]],
  [{ events: "x" }, ["events"]],
  [{ events: Array(6).fill({}) }, ["events"]],
  [{ events: [{ name: "long" }], name: 1 }, ["name"]],
])("an issue outside of the elements rejects the request: %j", (json, path) => {
  expect(readValidated(Batch, json).issues).toMatchObject([{ path }]);
});

test("callers within the mesh are treated alike", () => {
  const batch = create(Batch, { events: [{ name: "long" }, { name: "a" }] } as Record<string, unknown>);
  expect(findViolations(Batch, batch)).toEqual([]);
  expect(toJson(Batch, batch)).toEqual({
    events: [{ rejected: "name: String must contain at most 3 character(s)" }, { name: "a" }],
  });
});

test("a sparse message is written without its unset fields, and internal ones are never written", () => {
  expect(writeJson(Event, create(Event, { rejected: "x" } as Record<string, unknown>))).toEqual({ name: "" });
  expect(writeJson(Event, create(Event, { count: 0 } as Record<string, unknown>))).toEqual({ name: "", count: 0 });
});
