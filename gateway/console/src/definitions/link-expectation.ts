import type { Schemas } from "../api/request.ts";

type Config = NonNullable<Schemas["LinkTasksRequest"]["config"]>;

/** Texts of a link's expectation; a definition that compares one text has one at most. */
export const toTexts = (expected: unknown): string[] => [expected ?? []].flat().map(String);

/** An empty configuration clears the expectation. */
export function toLinkConfig(texts: readonly string[], isList: boolean): Config {
  const items = texts.filter((text) => text !== "");
  if (items.length === 0) return {};
  return { expected: isList ? items : texts.join("\n") };
}
