import { expect, test } from "vitest";
import { formatMissing } from "./required.ts";

test.each([
  ["Title", false, "Enter a title"],
  ["Description", false, "Enter a description"],
  ["Topic", true, "Choose a topic"],
  ["API key", false, "Enter an API key"],
  ["URL", false, "Enter a URL"],
  ["Base URL", false, "Enter a base URL"],
  ["End user", false, "Enter an end user"],
  ["User", true, "Choose a user"],
  ["Input price ($ per million tokens)", false, "Enter an input price"],
  ["Scopes", true, "Choose scopes"],
])("the message for an empty field %s (choice: %s) is %s", (label, isChoice, expected) => {
  expect(formatMissing(label, isChoice)).toBe(expected);
});
