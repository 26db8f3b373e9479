// Pure: recognizes spans of protocols, such as health checks.

import type { JsonObject } from "@bufbuild/protobuf";
import { text } from "./json-text.ts";

/** Methods of the Model Context Protocol that prepare a session or describe a server. */
const mcpMethods =
  /^(?:initialize|ping|notifications\/.+|(?:tools|prompts|resources|resources\/templates|roots)\/list|logging\/setLevel|resources\/(?:un)?subscribe|completion\/complete|server\/discover)$/;

const healthPaths =
  /^\/(?:[\w-]+\/){0,3}-?\/?(?:health|healthz|healthcheck|health-check|livez?|liveness|readyz?|readiness|ping|metrics|favicon\.ico)(?:\/\w+)?\/?$/i;

/** Returns true for a span that only keeps a protocol working. */
export function isChatter(name: string, attributes: JsonObject, scope: string): boolean {
  const method = text(attributes["mcp.method.name"]) ?? (/mcp/i.test(scope) ? name.replace(/\.mcp$/, "") : undefined);
  if (method !== undefined) return mcpMethods.test(method);
  if (attributes["rpc.service"] === "grpc.health.v1.Health") return true;
  // An agent that is only created: its calls are in other traces.
  if (attributes["gen_ai.operation.name"] === "create_agent") return true;
  const path = ["url.path", "http.route", "http.target"].flatMap((each) => text(attributes[each]) ?? []).at(0);
  return path !== undefined && healthPaths.test(path.split("?", 1)[0] ?? "");
}
