// A definition as its form has it: what was typed for one type stays while another one is looked at.

import type { Schemas } from "../api/request.ts";
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
  /** Empty: the API's own. */
  readonly passThreshold: number | null;
  /** What is compared of the answer; all of it when null. */
  readonly extract: ExtractDraft | null;
}

export interface ExtractDraft {
  readonly pattern: string;
  readonly flags: string;
  /** A number, or several with commas. */
  readonly group: string;
}

export const newExtract: ExtractDraft = { pattern: "", flags: "", group: "0" };

export const newDraft: DefinitionDraft = {
  type: "CUSTOM",
  name: "",
  criterion: "",
  groundTruth: "",
  styleGuideId: null,
  comparison: "string",
  matchMode: "exact_unordered",
  scoreMetric: "f1",
  passThreshold: null,
  extract: null,
};

export function draftOf({ type, name, globalConfig, styleGuideId }: Definition): DefinitionDraft {
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
    passThreshold: config.passThreshold ?? null,
    extract:
      extract === undefined
        ? null
        : { pattern: extract.pattern, flags: extract.flags, group: [extract.group ?? 0].flat().join(", ") },
  };
}

/** The fields that requests have of the draft's type. */
export function settingsOf(draft: DefinitionDraft): {
  readonly globalConfig?: Schemas["GlobalConfigInput"];
  readonly styleGuideId?: string;
} {
  const { type, criterion, groundTruth, styleGuideId } = draft;
  if (type === "CUSTOM") return { globalConfig: { criterion } };
  if (type === "FACT") return groundTruth.trim() === "" ? {} : { globalConfig: { groundTruth } };
  if (type === "STYLE") return styleGuideId === null ? {} : { styleGuideId };
  return type === "OUTPUT_MATCH" ? { globalConfig: comparisonOf(draft) } : {};
}

function comparisonOf(draft: DefinitionDraft): Schemas["GlobalConfigInput"] {
  const { comparison: type, matchMode, scoreMetric, passThreshold } = draft;
  const extract = draft.extract === null ? {} : { extract: { ...draft.extract, group: groupOf(draft.extract.group) } };
  if (type === "string") return { type, ...extract };
  return { type, matchMode, scoreMetric, ...(passThreshold !== null && { passThreshold }), ...extract };
}

/** One number or a list of them; what is none stays a text in the list, of which the API says what is wrong. */
export function groupOf(text: string): number | unknown[] {
  const parts = text.split(",").map((part) => part.trim());
  const groups = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const [first] = groups;
  return groups.length === 1 && typeof first === "number" ? first : groups;
}
