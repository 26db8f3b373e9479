// What a span's attributes mean by OpenTelemetry's semantic conventions for generative AI, of today and of before.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { TraceStepRow } from "../traces/index.ts";
import { attributesOf, isObject, text } from "./values.ts";

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

/** Agents tell the sum of what their calls took: of groups no tokens are counted, or they would count twice. */
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

/** What went in and came out, and the attributes that are neither. */
export function contentOf(attributes: JsonObject) {
  const first = (names: readonly string[]) => names.find((name) => Object.hasOwn(attributes, name));
  const [input, output] = [first(inputs), first(outputs)];
  const rest = Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== input && name !== output));
  const contentAt = (name: string | undefined) => (name === undefined ? undefined : content(attributes[name] ?? null));
  return { input: contentAt(input), output: contentAt(output), rest };
}

/** Where attributes can only be texts, exporters write JSON into them. */
function content(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  // An escape may bring what is refused everywhere else: NUL, and halves of characters.
  if (/\\u(?:0000|d[89a-f])/i.test(value)) return value;
  try {
    const parsed: JsonValue = JSON.parse(value);
    return isStorable(parsed, contentDepthMax) ? parsed : value;
  } catch {
    return value;
  }
}

/** Deeper than any message is, and far from what a decoder of the mesh bears. */
const contentDepthMax = 24;

/** What is written beyond the numbers of a double is read as infinite, which JSON does not know. */
function isStorable(value: JsonValue, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isStorable(item, levels - 1));
}

const kinds = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const statuses = ["UNSET", "OK", "ERROR"];

/** What a span says beside its attributes, by the names that OpenTelemetry gives it outside of OTLP. */
export function notesOf(span: JsonObject, scope: JsonObject): JsonObject {
  const status = isObject(span.status) ? span.status : {};
  const kind = named(span.kind, kinds, "SPAN_KIND_");
  const code = named(status.code, statuses, "STATUS_CODE_");
  const notes: [string, JsonValue | undefined][] = [
    ["otel.span_kind", kind],
    ["otel.status_code", code],
    ["otel.status_description", text(status.message) || undefined],
    ["otel.scope.name", text(scope.name) || undefined],
    ["otel.scope.version", text(scope.version) || undefined],
    ["otel.events", eventsOf(span.events)],
  ];
  return Object.fromEntries(notes.flatMap(([name, note]) => (note === undefined ? [] : [[name, note]])));
}

/** An enum's value by number, as OTLP has it, or by name; undefined for the first, which says nothing. */
function named(value: JsonValue | undefined, names: readonly string[], prefix: string): string | undefined {
  const name = typeof value === "number" ? names[value] : text(value)?.replace(prefix, "");
  return name === undefined || !names.slice(1).includes(name) ? undefined : name;
}

function eventsOf(events: JsonValue | undefined): JsonValue[] | undefined {
  if (!Array.isArray(events) || events.length === 0) return undefined;
  return events.filter(isObject).map(({ name = null, timeUnixNano = null, attributes }) => {
    return { name, timeUnixNano, attributes: attributesOf(attributes) };
  });
}
