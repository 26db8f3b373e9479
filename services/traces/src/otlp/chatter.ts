// Pure: recognizes traces of protocols, such as health checks, which are no conversations.

import type { JsonObject } from "@bufbuild/protobuf";
import type { Rejection } from "../traces/index.ts";
import { text } from "./json-text.ts";
import type { SpanStep } from "./read-spans.ts";

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

/**
 * Leaves out traces that begin with such a span and contain nothing else: neither steps of other types than groups, nor
 * texts, nor a test. They would be listed and judged as conversations.
 */
export function withoutChatter(results: readonly (SpanStep | Rejection)[]): (SpanStep | Rejection)[] {
  const byTrace = Map.groupBy(results, (result) => ("error" in result ? undefined : result.trace.id));
  const isLeftOut = (id: string | undefined) => {
    const spans = (byTrace.get(id) ?? []).flatMap((result) => ("error" in result ? [] : result));
    const hasRoot = spans.some((span) => span.isChatter && span.parentId === undefined);
    return (
      hasRoot && spans.every((span) => span.isChatter || isSilent(span)) && spans[0]?.trace.facts.testId === undefined
    );
  };
  const leftOut = new Set([...byTrace.keys()].filter((id) => id !== undefined && isLeftOut(id)));
  return results.filter((result) => "error" in result || !leftOut.has(result.trace.id));
}

function isSilent({ fields: { type, input, output, usage } }: SpanStep): boolean {
  return type === "group" && input === undefined && output === undefined && usage === undefined;
}
