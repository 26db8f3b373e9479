// Assertions in cells `__expected` of promptfoo's tables, such as `contains-any: "hello, world", bye`. Pure.

import type { JsonObject } from "@bufbuild/protobuf";

const typed = /^(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/;

/** Types that promptfoo recognizes in a cell. Any other text is compared verbatim. */
const types = new Set([
  ...["equals", "contains", "contains-all", "contains-any", "contains-html", "contains-json", "contains-sql"],
  ...["contains-xml", "icontains", "icontains-all", "icontains-any", "is-html", "is-json", "is-refusal", "is-sql"],
  ...["is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "regex"],
  ...["starts-with", "similar", "levenshtein", "latency", "cost", "classifier", "moderation", "perplexity"],
  ...["perplexity-score", "rouge-n", "bleu", "gleu", "meteor", "answer-relevance", "context-faithfulness"],
  ...["context-recall", "context-relevance", "factuality", "g-eval", "guardrails", "javascript", "python", "ruby"],
  ...["llm-rubric", "model-graded-closedqa", "model-graded-factuality", "conversation-relevance", "webhook"],
  ...["select-best", "max-score", "pi", "trace-error-spans", "trace-span-count", "trace-span-duration", "word-count"],
  ...["finish-reason", "tool-call-f1", "search-rubric"],
]);
const listTypes = new Set(["contains-all", "contains-any", "icontains-all", "icontains-any"]);

/** Returns the assertion that the tool reads from the text. */
export function readAssertionText(text: string): JsonObject {
  const code = /^(?:javascript|fn|eval):([\s\S]*)$/.exec(text);
  if (code !== null) return { type: "javascript", value: (code[1] ?? "").trim() };
  if (/^file:\/\/.*\.(?:py|[cm]?[jt]s)(?::|$)/.test(text)) return { type: "javascript", value: text };
  const rubric = /^(?:grade|llm-rubric):([\s\S]*)$/.exec(text);
  if (rubric !== null) return { type: "llm-rubric", value: (rubric[1] ?? "").trim() };
  const [match, not = "", type = "", threshold, value] = typed.exec(text) ?? [];
  if (match === undefined || !types.has(type)) return { type: "equals", value: text };
  const items = value !== undefined && listTypes.has(type) ? readList(value) : value?.trim();
  return {
    type: `${not}${type}`,
    ...(items !== undefined && { value: items }),
    ...(threshold !== undefined && { threshold: Number(threshold) }),
  };
}

/** Splits at commas outside quotes. Quotes are doubled or escaped within quotes; an open quote is part of its text. */
export function readList(text: string): string[] {
  const items: string[] = [];
  const item = /\s*(?:"((?:[^"\\]|\\[\s\S]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/y;
  while (item.lastIndex < text.length) {
    const found = item.exec(text);
    if (found === null) break;
    const [, quoted, plain = ""] = found;
    const value =
      quoted === undefined ? plain.trim() : quoted.replaceAll(/""|\\(["\\])/g, (_, escaped) => escaped ?? '"');
    if (value !== "") items.push(value);
  }
  return items;
}
