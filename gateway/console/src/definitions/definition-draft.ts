// Draft of a definition. It keeps the settings of every type, even while another type is selected.

import type { Schemas } from "../api/request.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { words } from "../ui/format.ts";
import type { Definition } from "./definition-requests.ts";
import type { DefinitionType } from "./definition-types.ts";

export interface DefinitionDraft {
  readonly type: DefinitionType;
  readonly name: string;
  readonly criterion: string;
  readonly groundTruth: string;
  readonly styleGuideId: string | null;
  readonly comparison: "string" | "list";
  readonly matchMode: "exact_unordered" | "contains";
  readonly scoreMetric: "f1" | "precision" | "recall";
  /** Empty to use the API's default. */
  readonly passThreshold: number | "";
  /** True to compare texts byte by byte. */
  readonly exact: boolean;
  /** Part of the answer to compare; null for the whole answer. */
  readonly extract: ExtractDraft | null;
}

export interface ExtractDraft {
  readonly pattern: string;
  readonly flags: readonly string[];
  /** Number of the capture group, or several numbers separated by commas. */
  readonly group: string;
}

export const newExtract: ExtractDraft = { pattern: "", flags: [], group: "0" };

export const newDraft: DefinitionDraft = {
  type: "CUSTOM",
  name: "",
  criterion: "",
  groundTruth: "",
  styleGuideId: null,
  comparison: "string",
  matchMode: "exact_unordered",
  scoreMetric: "f1",
  passThreshold: "",
  exact: false,
  extract: null,
};

/** Maps paths of API issues to fields of the draft. */
export const fieldNames = {
  "globalConfig.criterion": "criterion",
  "globalConfig.groundTruth": "groundTruth",
  "globalConfig.type": "comparison",
  "globalConfig.matchMode": "matchMode",
  "globalConfig.scoreMetric": "scoreMetric",
  "globalConfig.passThreshold": "passThreshold",
  "globalConfig.extract": "extract.pattern",
  "globalConfig.extract.flags": "extract.flags",
  "globalConfig.extract.group": "extract.group",
};

const field = fieldFor<DefinitionDraft>();

/** Returns the fields that the conflict dialog shows. */
export const listFields = (guides: Parameters<typeof chosenFrom>[0]) => [
  field("name", "Name"),
  field("criterion", "Criterion"),
  field("groundTruth", "Ground truth"),
  field("styleGuideId", "Style guide", chosenFrom(guides)),
  field("comparison", "Compares", (comparison) => (comparison === "list" ? "A list of items" : "A text")),
  field("matchMode", "Matches", (mode) => words(mode.toUpperCase())),
  field("scoreMetric", "Score", (metric) => words(metric.toUpperCase())),
  field("passThreshold", "Pass threshold"),
  field("exact", "Compare byte by byte"),
  field("extract", "Compare only the matches of a pattern", (extract) =>
    extract === null ? "No" : `Pattern: ${extract.pattern}\nFlags: ${extract.flags.join("")}\nGroup: ${extract.group}`,
  ),
];

export function toDraft({ type, name, globalConfig, styleGuideId }: Definition): DefinitionDraft {
  const { criterion, groundTruth, extract, ...config } = globalConfig ?? {};
  return {
    ...newDraft,
    type,
    name,
    styleGuideId,
    criterion: criterion ?? "",
    groundTruth: groundTruth ?? "",
    comparison: config.type ?? newDraft.comparison,
    matchMode: config.matchMode ?? newDraft.matchMode,
    scoreMetric: config.scoreMetric ?? newDraft.scoreMetric,
    passThreshold: config.passThreshold ?? "",
    exact: config.settings?.exact ?? false,
    extract:
      extract === undefined
        ? null
        : { pattern: extract.pattern, flags: [...extract.flags], group: [extract.group ?? 0].flat().join(", ") },
  };
}

/** Returns the settings for a request. Includes only settings of the draft's type. */
export function toSettings(draft: DefinitionDraft): {
  readonly globalConfig?: Schemas["GlobalConfigInput"];
  readonly styleGuideId?: string;
} {
  const { type, criterion, groundTruth, styleGuideId } = draft;
  if (type === "CUSTOM") return { globalConfig: { criterion } };
  if (type === "FACT") return groundTruth.trim() === "" ? {} : { globalConfig: { groundTruth } };
  if (type === "STYLE") return styleGuideId === null ? {} : { styleGuideId };
  return type === "OUTPUT_MATCH" ? { globalConfig: buildComparison(draft) } : {};
}

function buildComparison(draft: DefinitionDraft): Schemas["GlobalConfigInput"] {
  const { comparison: type, matchMode, scoreMetric, passThreshold, exact } = draft;
  const common = {
    ...(draft.extract !== null && { extract: toExtract(draft.extract) }),
    ...(exact && { settings: { exact } }),
  };
  if (type === "string") return { type, ...common };
  return { type, matchMode, scoreMetric, ...(typeof passThreshold === "number" && { passThreshold }), ...common };
}

const toExtract = ({ pattern, flags, group }: ExtractDraft) => ({
  pattern,
  flags: flags.join(""),
  group: parseGroup(group),
});

/** Parses a number or a list of numbers. Other texts stay in the list, for which the API returns an issue. */
export function parseGroup(text: string): number | unknown[] {
  const parts = text.split(",").map((part) => part.trim());
  const groups = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const [first] = groups;
  return groups.length === 1 && typeof first === "number" ? first : groups;
}
