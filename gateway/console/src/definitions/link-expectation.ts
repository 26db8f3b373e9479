import type { Schemas } from "../api/request.ts";

type Config = NonNullable<Schemas["LinkTasksRequest"]["config"]>;

/** Returns the expected texts of a link. A definition that compares a single text has at most one. */
export const toTexts = (expected: unknown): string[] => [expected ?? []].flat().map(String);

/** Returns the link's configuration. An empty configuration clears the expected answer. */
export function toLinkConfig(texts: readonly string[], isList: boolean): Config {
  const items = texts.filter((text) => text !== "");
  if (items.length === 0) return {};
  return { expected: isList ? items : texts.join("\n") };
}
