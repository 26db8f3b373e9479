// Reads retrieved documents with their content and score.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { toList } from "./conventions/rule.ts";
import { isObject, parsed } from "./json-text.ts";

/** Reads documents from JSON or from a tree of indexed attributes. */
export function documents(value: JsonValue): JsonValue {
  const json = parsed(value);
  return Array.isArray(json) || isObject(json) ? toList(json).map(toDocument) : json;
}

function toDocument(item: JsonValue): JsonValue {
  const json = parsed(item);
  if (!isObject(json)) return json;
  const fields = isObject(json.document) ? json.document : json;
  const metadata = parsed(fields.metadata ?? null);
  const { document: content, ...rest } = fields;
  const named = content === undefined ? fields : { ...rest, content };
  const document: JsonObject = { ...named, ...(metadata !== null && { metadata }) };
  const score = document.score ?? (isObject(metadata) ? scoreIn(metadata) : undefined);
  return score === undefined ? document : { ...document, score };
}

/** Reads the score, which some senders put next to the document's metadata. */
function scoreIn({ score, relevance_score, _score, similarity }: JsonObject): JsonValue | undefined {
  return [score, relevance_score, _score, similarity].find((value) => typeof value === "number");
}
