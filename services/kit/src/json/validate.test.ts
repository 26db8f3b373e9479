import { setFlagsFromString } from "node:v8";
import { create, equals, fromJson } from "@bufbuild/protobuf";
import {
  GetTopicRequestSchema,
  ListTopicsRequestSchema,
  UpdateTopicRequestSchema,
} from "@ems/proto/catalog/v1/topic_service";
import { SetWebhookRequestSchema } from "@ems/proto/notifications/v1/webhook_service";
import { protoFixture } from "@ems/test-support/proto-fixture";
import { describe, expect, test } from "vitest";
import { findViolations } from "./validate.ts";

describe("the rule of an id", () => {
  test.each([
    "01890a5d-ac96-774b-bcce-b302099a8057",
    "01890A5D-AC96-874B-BCCE-B302099A8057",
    "a0000000-0000-1000-8000-000000000000",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  ])("accepts %s", (id) => {
    expect(findViolations(GetTopicRequestSchema, create(GetTopicRequestSchema, { id }))).toEqual([]);
  });

  test.each([
    "",
    "x",
    "01890a5d-ac96-074b-bcce-b302099a8057",
    "01890a5d-ac96-974b-bcce-b302099a8057",
    "01890a5d-ac96-774b-ccce-b302099a8057",
    "01890a5dac96774bbcceb302099a8057",
    "01890a5d-ac96-774b-bcce-b302099a8057\n",
    " 01890a5d-ac96-774b-bcce-b302099a8057",
    "00000000-0000-0000-0000-000000000001",
  ])("refuses %j", (id) => {
    const broken = findViolations(GetTopicRequestSchema, create(GetTopicRequestSchema, { id }));
    expect(broken).toMatchObject([{ ruleId: "string.id", message: "Invalid UUID" }]);
  });
});

test("rules about 64-bit numbers hold at their bounds", () => {
  const of = (skip: bigint) =>
    findViolations(ListTopicsRequestSchema, create(ListTopicsRequestSchema, { skip })).length;
  expect([-1n, 0n, 9007199254740991n, 9007199254740992n].map(of)).toEqual([1, 0, 0, 1]);
});

test("a rule that cannot be evaluated throws", () => {
  const rules = { cel: [{ id: "broken", message: "", expression: "this.nope == 1" }] };
  const { message } = protoFixture({ messages: { Bad: { fields: { name: { type: "STRING" } }, rules } } });
  expect(() => findViolations(message("Bad"), create(message("Bad")))).toThrow();
});

test("flags of a pattern's group apply even if V8 compiles without optimization and drops them", () => {
  const expression = "this.name.matches('^(?i:first|second-.*)$')";
  const rules = { cel: [{ id: "flags", message: "", expression }] };
  const { message } = protoFixture({ messages: { Named: { fields: { name: { type: "STRING" } }, rules } } });
  setFlagsFromString("--no-regexp-optimization");
  const brokenRules = ["first", "FIRST", "Second-1", "third"].map(
    (name) => findViolations(message("Named"), create(message("Named"), { name })).length,
  );
  setFlagsFromString("--regexp-optimization");
  expect(brokenRules).toEqual([0, 0, 0, 1]);
});

test("rules on an oversized list cost no more than on the longest allowed list", () => {
  const names = Array.from({ length: 30_000 }, (_, index) => `name-${index}`);
  const headers = { values: Object.fromEntries(names.map((name) => [name, "a"])) };
  const message = create(SetWebhookRequestSchema, { url: "https://example.com", headers });
  const startMs = performance.now();
  const broken = findViolations(SetWebhookRequestSchema, message);
  expect(performance.now() - startMs).toBeLessThan(5_000);
  expect(broken.map(({ ruleId }) => ruleId)).toEqual(["map.max_pairs"]);
  // The message is unchanged.
  expect(Object.keys(message.headers?.values ?? {})).toEqual(names);
}, 60_000);

test("a rule on a free value reads no name of its object, and leaves it unchanged", () => {
  const read = () => fromJson(UpdateTopicRequestSchema, { assignedTo: { name: "Ada" } });
  const message = read();
  const kind = message.assignedTo?.kind;
  if (kind?.case !== "structValue") throw new Error("not an object");
  const { fields } = kind.value;
  kind.value.fields = new Proxy(fields, {
    ownKeys: () => {
      throw new Error("names are read");
    },
  });
  expect(findViolations(UpdateTopicRequestSchema, message)).not.toEqual([]);
  kind.value.fields = fields;
  expect(equals(UpdateTopicRequestSchema, message, read())).toBe(true);
});
