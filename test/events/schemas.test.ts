// JSON Schemas of events: an independent validator accepts what webhooks receive, and rejects anything else.

import type { DescMessage } from "@bufbuild/protobuf";
import { eventSchemas } from "@ems/gateway/event-schemas";
import { eventBytes, eventJson, type Fact, readEvent, toEvent } from "@ems/kit/events/content";
import { eventTypes } from "@ems/kit/events/event-type";
import { newId } from "@ems/kit/id";
import { messageArbitrary } from "@ems/test-support/message-arbitrary";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";

// `example` and number formats belong to OpenAPI; generated texts are not valid ids.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const shapes = ["type", "required", "additionalProperties"];
const schemas = eventSchemas();
const publicTypes = eventTypes.filter(({ isInternal }) => !isInternal);

test("every public type has a schema, and no internal one", () => {
  expect(Object.keys(schemas).sort()).toEqual(publicTypes.map(({ type }) => type).sort());
  expect(JSON.stringify(schemas)).not.toContain("components/schemas");
});

function valueAt(event: unknown, pointer: string): unknown {
  const path = pointer.split("/").slice(1);
  return path.reduce((value, name) => (value as Record<string, unknown>)[name.replaceAll("~1", "/")], event);
}

test.each(publicTypes.map(({ type, field }) => [type, field] as const))("%s", (type, field) => {
  const validate = ajv.compile(schemas[type] ?? false);
  const occurrence = { id: newId(), applicationId: newId(), orgId: "org", occurredAt: new Date() };
  fc.assert(
    fc.property(messageArbitrary(field.message as DescMessage), (value) => {
      const bytes = eventBytes(toEvent({ case: field.localName, value } as Fact, occurrence));
      const event = JSON.parse(eventJson(readEvent(bytes)));
      validate(event);
      // Generated messages lack fields that services always set, and their values may be out of range.
      const wrong = (validate.errors ?? []).filter(
        ({ instancePath, keyword, params }) =>
          shapes.includes(keyword) && params.type !== "null" && valueAt(event, instancePath) !== null,
      );
      expect(wrong).toEqual([]);
      for (const name of Object.keys(event)) expect(validate({ ...event, [name]: undefined })).toBe(false);
      expect(validate({ ...event, type: "planet.discovered" })).toBe(false);
    }),
    { numRuns: 30 },
  );
});
