// JSON Schemas of webhook events, for programs that do not read OpenAPI.

import type { JsonObject } from "@bufbuild/protobuf";
import { NamedSchemas } from "./named-schemas.ts";
import { buildEventSchema, publicEvents } from "./webhooks.ts";

/** Returns a self-contained schema for each public type (`topic.created`). */
export function eventSchemas(): Record<string, JsonObject> {
  return Object.fromEntries(
    publicEvents().map((field) => {
      const schemas = new NamedSchemas();
      const { type, schema } = buildEventSchema(field, schemas);
      const document = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: schemas.toJson() };
      return [type, JSON.parse(JSON.stringify(document).replaceAll('"#/components/schemas/', '"#/$defs/'))];
    }),
  );
}
