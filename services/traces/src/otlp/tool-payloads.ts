// Reads arguments and results of tools from the records in which frameworks wrap them.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { callArguments } from "./conventions/openllmetry.ts";
import { isObject, legible, parsed } from "./json-text.ts";

/** Returns the arguments of a tool call, as text. */
export function toolInputText(value: JsonValue): string {
  const call = callArguments(value);
  return legible(isObject(call) ? readArguments(call) : call);
}

function readArguments(call: JsonObject): JsonValue {
  const { inputs, input_str, kwargs, args = [] } = call;
  // A callback of LangChain, which OpenLLMetry records with its context.
  if (isObject(inputs) && input_str !== undefined) return inputs;
  const isCall = Object.keys(call).every(
    (name) => name === "args" || name === "kwargs" || typeof call[name] === "boolean",
  );
  const isNamed = isCall && isObject(kwargs) && Array.isArray(args) && args.length === 0;
  return isNamed ? kwargs : call;
}

/** Returns the result of a tool, as text. */
export function toolOutputText(value: JsonValue): string {
  return legible(readResult(parsed(value), 0));
}

const depthMax = 4;

function readResult(json: JsonValue, depth: number): JsonValue {
  const texts = readTexts(json);
  if (texts !== undefined) return texts;
  if (!isObject(json) || depth > depthMax) return json;
  const { data, kwargs, output, content, type, lc, raw_output, blocks, tool_name } = json;
  const inner = (each: JsonValue | undefined) => readResult(parsed(each ?? null), depth + 1);
  // Messages of LangChain: plain, serialized, or within a callback.
  if (isObject(kwargs) && lc !== undefined && "content" in kwargs) return inner(kwargs.content);
  if (type === "tool" && isObject(data) && "content" in data) return inner(data.content);
  if ((type === "tool" || json.role === "tool") && content !== undefined) return inner(content);
  if (isObject(kwargs) && isObject(output) && output.lc !== undefined) return inner(output);
  // A response of a function, as Google's ADK records it.
  if (json.name !== undefined && isObject(json.response) && Object.keys(json).length <= 3) {
    const { result, ...rest } = json.response;
    return result !== undefined && Object.keys(rest).length === 0 ? inner(result) : json.response;
  }
  // LlamaIndex's ToolOutput.
  if (tool_name !== undefined && raw_output !== undefined)
    return raw_output === null || typeof raw_output === "object" ? (readTexts(blocks) ?? json) : raw_output;
  // MCP's CallToolResult.
  return readTexts(Object.keys(json).every((name) => resultFields.has(name)) ? content : undefined) ?? json;
}

const resultFields = new Set([
  "content",
  "isError",
  "is_error",
  "structuredContent",
  "structured_content",
  "meta",
  "_meta",
]);

/** Returns the texts of a list of parts that are all texts; undefined for other lists. */
function readTexts(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.flatMap((part) => {
    if (!isObject(part) || typeof part.text !== "string") return [];
    return part.type === "text" || Object.keys(part).every((name) => partFields.has(name)) ? part.text : [];
  });
  return texts.length === value.length ? texts.join("\n") : undefined;
}

const partFields = new Set(["text", "type", "block_type", "annotations"]);
