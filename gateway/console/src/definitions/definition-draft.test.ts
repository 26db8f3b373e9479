import { expect, test } from "vitest";
import { ApiError } from "../api/errors.ts";
import { errorsByField } from "../edits/use-draft.ts";
import {
  type DefinitionDraft,
  fieldNames,
  listFields,
  newDraft,
  newExtract,
  parseGroup,
  toDraft,
  toSettings,
} from "./definition-draft.ts";

const draft = (change: Partial<DefinitionDraft>): DefinitionDraft => ({ ...newDraft, ...change });
const typed = draft({ criterion: "Polite", groundTruth: "Free", styleGuideId: "g", passThreshold: 0.5 });

test.each([
  ["CUSTOM", { globalConfig: { criterion: "Polite" } }],
  ["FACT", { globalConfig: { groundTruth: "Free" } }],
  ["STYLE", { styleGuideId: "g" }],
  ["NATURALNESS", {}],
  ["RECALL", {}],
  ["OUTPUT_MATCH", { globalConfig: { type: "string" } }],
] as const)("a %s definition has the settings of its type alone", (type, settings) => {
  expect(toSettings({ ...typed, type })).toEqual(settings);
});

test("a list sends its mode, metric, threshold and pattern", () => {
  const extract = { ...newExtract, pattern: "\\d+", flags: ["g"] };
  const list = { type: "OUTPUT_MATCH", comparison: "list", extract } as const;
  expect(toSettings({ ...typed, ...list })).toEqual({
    globalConfig: {
      type: "list",
      matchMode: "exact_unordered",
      scoreMetric: "f1",
      passThreshold: 0.5,
      extract: { pattern: "\\d+", flags: "g", group: 0 },
    },
  });
});

test("the form opens with the stored settings", () => {
  const globalConfig = {
    type: "list",
    matchMode: "contains",
    scoreMetric: "recall",
    passThreshold: 0.25,
    extract: { pattern: "(a)(b)", flags: "gi", group: [1, 2] },
  } as const;
  const definition = { type: "OUTPUT_MATCH", name: "n", styleGuideId: null, globalConfig } as never;
  expect(toSettings(toDraft(definition))).toEqual({ globalConfig });
});

test.each([
  ["0", 0],
  [" 2 ", 2],
  ["1, 2", [1, 2]],
  ["x", ["x"]],
  ["", [""]],
])("the text %j is the group %j", (text, group) => expect(parseGroup(text)).toEqual(group));

test.each([
  ["globalConfig.criterion", "criterion"],
  ["globalConfig.type", "comparison"],
  ["globalConfig.extract", "extract.pattern"],
  ["globalConfig.extract.flags", "extract.flags"],
  ["globalConfig.extract.group.1", "extract.group"],
  ["styleGuideId", "styleGuideId"],
])("an issue at %s belongs to the field %s", (path, field) => {
  const error = new ApiError(new Response(null, { status: 400 }), { issues: [{ path, message: "Wrong" }] });
  expect(errorsByField(error, fieldNames)).toEqual({ [field]: "Wrong" });
});

test("a conflict shows names in place of ids, and a pattern with its flags", () => {
  const extract = { pattern: "a", flags: ["g", "i"], group: "0" };
  const texts = listFields([{ value: "g", label: "House tone" }]).map(({ text }) => text({ ...typed, extract }));
  expect(texts).toContain("House tone");
  expect(texts.at(-1)).toBe("Pattern: a\nFlags: gi\nGroup: 0");
});
