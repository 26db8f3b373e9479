import { CreateTaskRequestSchema } from "@ems/proto/catalog/v1/task_service";
import { CreateTopicRequestSchema, ListTopicsRequestSchema } from "@ems/proto/catalog/v1/topic_service";
import { expect, test } from "vitest";
import { rulesOfField, schemaRules } from "./rule-text.ts";

test.each([
  [{ type: "string" }, ""],
  [{ type: "string", minLength: 1 }, "at least 1 character"],
  [{ type: "string", minLength: 1, maxLength: 200 }, "1 to 200 characters"],
  [{ type: "string", minLength: 5, maxLength: 5 }, "exactly 5 characters"],
  [{ type: "string", format: "uuid", minLength: 1 }, "a UUID"],
  [{ type: "string", pattern: "^[^\\u0000]*$" }, ""],
  [{ type: "string", pattern: "^a$" }, "matches ^a$"],
  [{ type: ["number", "null"] }, "number or null"],
  [{ type: "string", enum: ["asc", "desc", null] }, "one of asc, desc"],
  [{ type: "integer", minimum: 0 }, "at least 0"],
  [{ type: "number", exclusiveMinimum: 0, maximum: 9 }, "at most 9; greater than 0"],
  [
    { type: "array", maxItems: 3, uniqueItems: true, items: { format: "uuid" } },
    "at most 3 elements; without duplicates; each element: a UUID",
  ],
  [
    { type: "object", maxProperties: 9, propertyNames: { maxLength: 4 } },
    "at most 9 pairs; each key: at most 4 characters",
  ],
])('schema %j becomes "%s"', (schema, text) => {
  expect(schemaRules(schema).join("; ")).toBe(text);
});

test("the text includes required fields and rules without a JSON Schema keyword", () => {
  expect(rulesOfField(CreateTopicRequestSchema.field.title)).toBe("required; at least 1 character");
  expect(rulesOfField(CreateTopicRequestSchema.field.quickstartId)).toBe("a UUID");
  expect(rulesOfField(CreateTopicRequestSchema.field.status)).toBe("one of DRAFT, ACTIVE");
  expect(rulesOfField(ListTopicsRequestSchema.field.limit)).toBe("1 to 100");
  expect(rulesOfField(ListTopicsRequestSchema.field.isInScope)).toBe("");
  expect(CreateTaskRequestSchema.fields.map(rulesOfField).join()).not.toContain("undefined");
});
