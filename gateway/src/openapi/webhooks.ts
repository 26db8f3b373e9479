// The webhooks section: one request per event type. webhook.json contains the common parts.

import { type DescField, getOption, type JsonObject } from "@bufbuild/protobuf";
import { EventSchema, internal, type as typeOption } from "@ems/proto/events/v1/event";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { buildExample } from "./examples.ts";
import type { NamedSchemas } from "./named-schemas.ts";
import { responseSchema } from "./schema.ts";
import { described, fieldText, serviceTag } from "./text.ts";
import webhook from "./webhook.json" with { type: "json" };

export function webhooks(schemas: NamedSchemas): JsonObject {
  return Object.fromEntries(
    publicEvents().map((field) => [getOption(field, typeOption), { post: delivery(field, schemas) }]),
  );
}

/** Lists the members of the event's oneof that webhooks receive. */
export function publicEvents(): DescField[] {
  return EventSchema.fields.filter((field) => field.oneof !== undefined && !getOption(field, internal));
}

/** Adds an event's schema to `schemas`; returns the event's type and a reference. */
export function buildEventSchema(field: DescField, schemas: NamedSchemas): { type: string; schema: JsonObject } {
  const type = getOption(field, typeOption);
  return { type, schema: eventSchema(type, field, schemas) };
}

function delivery(field: DescField, schemas: NamedSchemas): JsonObject {
  const { type, schema } = buildEventSchema(field, schemas);
  return {
    operationId: field.localName,
    tags: [serviceTag(WebhookService).name],
    summary: type,
    ...described(fieldText(field)),
    ...webhook,
    requestBody: {
      required: true,
      content: { "application/json": { schema, example: buildExample(schema, schemas) } },
    },
  };
}

function eventSchema(type: string, field: DescField, schemas: NamedSchemas): JsonObject {
  const envelope = EventSchema.fields.filter(({ oneof }) => oneof === undefined);
  const { id = {}, ...otherProperties }: Record<string, JsonObject> = Object.fromEntries(
    envelope.map((each) => [each.jsonName, { ...envelopeSchema(each), ...described(fieldText(each)) }]),
  );
  const properties = {
    id,
    type: { type: "string", enum: [type], description: "The event's type." },
    ...otherProperties,
    ...(field.message !== undefined && { data: responseSchema(schemas, field.message, false) }),
  };
  // The schema's name becomes a type name in generated code.
  const name = `${field.localName.charAt(0).toUpperCase()}${field.localName.slice(1)}Event`;
  return schemas.ref(`event ${type}`, [name], () => ({
    type: "object",
    ...described(fieldText(field)),
    properties,
    required: Object.keys(properties),
  }));
}

function envelopeSchema({ jsonName, message }: DescField): JsonObject {
  if (message !== undefined) return { type: "string", format: "date-time" };
  return jsonName === "orgId" ? { type: "string" } : { type: "string", format: "uuid" };
}
