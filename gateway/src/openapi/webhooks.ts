// What an application's webhook receives: one request a kind of event, as OpenAPI tells webhooks.

import { type DescField, getOption, type JsonObject } from "@bufbuild/protobuf";
import { EventSchema, internal, type as kindOption } from "@ems/proto/events/v1/event";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { exampleOf } from "./examples.ts";
import type { Components } from "./named-schemas.ts";
import { responseSchema } from "./schema.ts";
import { described, fieldText, serviceTag } from "./text.ts";

export function webhooks(components: Components): JsonObject {
  const kinds = EventSchema.fields.filter((field) => field.oneof !== undefined && !getOption(field, internal));
  return Object.fromEntries(
    kinds.map((field) => [getOption(field, kindOption), { post: delivery(field, components) }]),
  );
}

function delivery(field: DescField, components: Components): JsonObject {
  const kind = getOption(field, kindOption);
  const schema = eventSchema(kind, field, components);
  return {
    operationId: field.localName,
    tags: [serviceTag(WebhookService).name],
    summary: kind,
    ...described(fieldText(field)),
    // The signature proves where it comes from.
    security: [],
    parameters: [
      header("webhook-id", "The event's id: the same in every attempt.", "string"),
      header("webhook-timestamp", "When the attempt was made, in Unix seconds.", "integer"),
      header(
        "webhook-signature",
        "`v1,` and the HMAC-SHA-256, in base64, of `webhook-id.webhook-timestamp.body` by the bytes that `webhookSecret` " +
          "holds in base64 after `whsec_`. Two of them with a space between for 24 hours after a rotation.",
        "string",
      ),
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema, example: exampleOf(schema, components) } },
    },
    responses: {
      "2XX": { description: "The event is delivered." },
      "410": { description: "Nothing is wanted any more: the webhook is disabled at once." },
      default: { description: "The attempt has failed. A redirect is not followed, and has failed too." },
    },
  };
}

/** The event's own fields are told by their comments; `type` is an option of the member that holds `data`. */
function eventSchema(kind: string, field: DescField, components: Components): JsonObject {
  const own = EventSchema.fields.filter(({ oneof }) => oneof === undefined);
  const { id = {}, ...others }: Record<string, JsonObject> = Object.fromEntries(
    own.map((each) => [each.jsonName, { ...formOf(each), ...described(fieldText(each)) }]),
  );
  const properties = {
    id,
    type: { type: "string", enum: [kind], description: "What happened." },
    ...others,
    // The oneof has messages only.
    ...(field.message !== undefined && { data: responseSchema(components, field.message, false) }),
  };
  return { type: "object", properties, required: Object.keys(properties) };
}

function formOf({ jsonName, message }: DescField): JsonObject {
  if (message !== undefined) return { type: "string", format: "date-time" };
  return jsonName === "orgId" ? { type: "string" } : { type: "string", format: "uuid" };
}

function header(name: string, description: string, type: "string" | "integer"): JsonObject {
  return { name, in: "header", required: true, description, schema: { type } };
}
