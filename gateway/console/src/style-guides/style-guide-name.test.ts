import { expect, test } from "vitest";
import { formatStyleGuideName } from "./style-guide-name.ts";

test.each([
  [[], "Empty style guide"],
  [["Tone"], "Tone"],
  [["Tone", "Length"], "Tone, Length"],
  [["Tone", "Length", "Names", ""], "Tone, Length and 2 more"],
  [["", " "], "2 sections"],
])("a style guide with the headings %j is named %j", (headings, name) => {
  expect(formatStyleGuideName({ content: headings.map((heading) => ({ heading })) })).toBe(name);
});
