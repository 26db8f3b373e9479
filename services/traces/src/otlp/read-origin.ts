// Pure: reads the service, version and environment from the attributes of a resource.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { truncateText } from "@ems/kit/json/issue-messages";
import { originTextMax } from "@ems/proto/limits";
import type { NamedOrigin } from "../traces/index.ts";

/** Attributes of each field, in order of precedence. */
const names = {
  service: ["service.name"],
  version: ["service.version"],
  environment: ["deployment.environment.name", "deployment.environment"],
} as const;

/** Default name of OpenTelemetry's SDKs for services without a name, such as `unknown_service:node`. */
const unnamed = /^unknown_service(?::|$)/;

export function readOrigin(resource: JsonObject): NamedOrigin {
  const read = (field: keyof typeof names) =>
    names[field].map((name) => nameText(resource[name])).find((value) => value !== undefined);
  const service = read("service");
  return {
    service: service === undefined || unnamed.test(service) ? undefined : service,
    version: read("version"),
    environment: read("environment"),
  };
}

function nameText(value: JsonValue | undefined): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  const trimmed = typeof text === "string" ? text.trim() : "";
  return trimmed === "" ? undefined : truncateText(trimmed, originTextMax);
}
