// OpenTelemetry's semantic conventions for generative AI, current and deprecated.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { TraceStepRow } from "../traces/index.ts";
import { attributesOf, isObject, text } from "./attributes.ts";

type StepType = TraceStepRow["type"];

const types: Readonly<Record<string, StepType>> = {
  chat: "llm",
  text_completion: "llm",
  generate_content: "llm",
  execute_tool: "tool",
  embeddings: "retriever",
  retrieval: "retriever",
};

export function typeOf(attributes: JsonObject): StepType {
  const operation = text(attributes["gen_ai.operation.name"]) ?? "";
  return Object.hasOwn(types, operation) ? (types[operation] ?? "group") : "group";
}

const nameLengthMax = 255;

/** A tool's own name rather than "execute_tool weather". */
export function nameOf(type: StepType, spanName: string, attributes: JsonObject): string {
  const tool = type === "tool" ? text(attributes["gen_ai.tool.name"]) : undefined;
  return [...(tool ?? spanName)].slice(0, nameLengthMax).join("");
}

const tokensMax = 2 ** 31 - 1;

/** Agents report the sum of their calls, so counting a group's tokens would count them twice. */
export function tokensOf(type: StepType, attributes: JsonObject): { input: bigint; output: bigint } {
  if (type === "group") return { input: 0n, output: 0n };
  const first = (...names: string[]) => {
    const count = names.map((name) => attributes[name]).find((value) => typeof value === "number");
    return BigInt(typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= tokensMax ? count : 0);
  };
  return {
    input: first("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    output: first("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
  };
}

const inputs = ["gen_ai.input.messages", "gen_ai.tool.call.arguments", "gen_ai.prompt"];
const outputs = ["gen_ai.output.messages", "gen_ai.tool.call.result", "gen_ai.completion"];

/** Input, output, and the remaining attributes. */
export function contentOf(attributes: JsonObject) {
  const first = (names: readonly string[]) => names.find((name) => Object.hasOwn(attributes, name));
  const [input, output] = [first(inputs), first(outputs)];
  const rest = Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== input && name !== output));
  const contentAt = (name: string | undefined) => (name === undefined ? undefined : parsed(attributes[name] ?? null));
  return { input: contentAt(input), output: contentAt(output), rest };
}

/** Exporters whose attributes can only be texts write JSON into them. */
function parsed(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  // Escapes of NUL and lone surrogates, which PostgreSQL refuses.
  if (/\\u(?:0000|d[89a-f])/i.test(value)) return value;
  try {
    const json: JsonValue = JSON.parse(value);
    return isStorable(json, contentDepthMax) ? json : value;
  } catch {
    return value;
  }
}

/** Below the nesting that protobuf decoders accept. */
const contentDepthMax = 24;

/** Rejects numbers beyond a double, which are read as infinite: JSON has no infinity. */
function isStorable(value: JsonValue, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isStorable(item, levels - 1));
}

const kinds = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const statuses = ["UNSET", "OK", "ERROR"];

/** A span's fields beside its attributes, by OpenTelemetry's names for exporters other than OTLP. */
export function spanMetadata(span: JsonObject, scope: JsonObject): JsonObject {
  const status = isObject(span.status) ? span.status : {};
  const kind = enumValue(span.kind, kinds, "SPAN_KIND_");
  const code = enumValue(status.code, statuses, "STATUS_CODE_");
  const fields: [string, JsonValue | undefined][] = [
    ["otel.span_kind", kind],
    ["otel.status_code", code],
    ["otel.status_description", text(status.message) || undefined],
    ["otel.scope.name", text(scope.name) || undefined],
    ["otel.scope.version", text(scope.version) || undefined],
    ["otel.events", eventsOf(span.events)],
  ];
  return Object.fromEntries(fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Reads an enum's number or name; undefined for the first value, unspecified. */
function enumValue(value: JsonValue | undefined, names: readonly string[], prefix: string): string | undefined {
  const name = typeof value === "number" ? names[value] : text(value)?.replace(prefix, "");
  return name === undefined || !names.slice(1).includes(name) ? undefined : name;
}

function eventsOf(events: JsonValue | undefined): JsonValue[] | undefined {
  if (!Array.isArray(events) || events.length === 0) return undefined;
  return events.filter(isObject).map(({ name = null, timeUnixNano = null, attributes }) => {
    return { name, timeUnixNano, attributes: attributesOf(attributes) };
  });
}
