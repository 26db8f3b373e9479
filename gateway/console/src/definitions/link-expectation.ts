import type { Schemas } from "../api/request.ts";
import type { Definition } from "./definition-requests.ts";

type Config = NonNullable<Schemas["LinkTasksRequest"]["config"]>;

/** Kind of expected answer: all items of a list, any of several texts, or one text. */
export type ExpectedKind = "items" | "any" | "text";

/** Returns the kind of expected answer of a definition. */
export function getExpectedKind({ type, globalConfig }: Pick<Definition, "type" | "globalConfig">): ExpectedKind {
  if (type !== "OUTPUT_MATCH") return "text";
  return globalConfig?.type === "list" ? "items" : "any";
}

/** Returns the expected texts of a link. */
export const toTexts = (expected: unknown): string[] => [expected ?? []].flat().map(String);

/** Returns the link's configuration. An empty configuration clears the expected answer. */
export function toLinkConfig(texts: readonly string[], kind: ExpectedKind): Config {
  const items = texts.filter((text) => text !== "");
  if (items.length === 0) return {};
  if (kind === "text") return { expected: texts.join("\n") };
  return { expected: kind === "any" && items.length === 1 ? items[0] : items };
}
