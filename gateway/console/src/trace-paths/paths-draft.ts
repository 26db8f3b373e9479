// Draft of the paths and noise rules. Named like the API's fields, so that the paths of its issues are also fields.

import type { Schemas } from "../api/request.ts";
import { type Field, fieldFor } from "../edits/fields.ts";
import type { IngestSettings } from "../redaction/redaction-requests.ts";

export const pathNames = ["question", "answer", "context", "session", "user"] as const;
export type PathName = (typeof pathNames)[number];

export interface NoiseDraft {
  readonly name: string;
  readonly attribute: string;
  readonly value: string;
  readonly service: string;
  readonly keep: boolean;
}

export type PathsDraft = Readonly<Record<PathName, string>> & { readonly noise: readonly NoiseDraft[] };

export const aboutPaths: Readonly<Record<PathName, { readonly label: string; readonly example: string }>> = {
  question: { label: "Question", example: "root.input.messages" },
  answer: { label: "Answer", example: "llm[-1].output" },
  context: { label: "Retrieved texts", example: "tool['search'].output.hits[*].text" },
  session: { label: "Session", example: "step.metadata['app.conversation']" },
  user: { label: "End user", example: "trace.metadata.customer.id" },
};

export const newNoise: NoiseDraft = { name: "", attribute: "", value: "", service: "", keep: false };

const noiseNames = ["name", "attribute", "value", "service"] as const;

export const toDraft = ({ data }: { readonly data: IngestSettings }): PathsDraft => ({
  question: data.question ?? "",
  answer: data.answer ?? "",
  context: data.context ?? "",
  session: data.session ?? "",
  user: data.user ?? "",
  noise: data.noise.map(({ keep, name, attribute, value, service }) => ({
    keep,
    name: name ?? "",
    attribute: attribute ?? "",
    value: value ?? "",
    service: service ?? "",
  })),
});

/** Returns the paths that are not empty, or null for those that are. */
export function toPaths(draft: PathsDraft): Record<PathName, string | null> {
  const path = (name: PathName) => (draft[name].trim() === "" ? null : draft[name].trim());
  return {
    question: path("question"),
    answer: path("answer"),
    context: path("context"),
    session: path("session"),
    user: path("user"),
  };
}

/** Returns the rules in the API's form, without empty conditions. */
export const toNoise = (rules: readonly NoiseDraft[]): Schemas["NoiseRuleInput"][] =>
  rules.map((rule) => ({
    keep: rule.keep,
    ...Object.fromEntries(noiseNames.flatMap((name) => (rule[name] === "" ? [] : [[name, rule[name]]]))),
  }));

const ruleText = (rule: NoiseDraft) =>
  [
    rule.keep ? "Store" : "Drop",
    ...noiseNames.flatMap((name) => (rule[name] === "" ? [] : `${name}: ${rule[name]}`)),
  ].join("\n");

const field = fieldFor<PathsDraft>();

export const draftFields: readonly Field<PathsDraft>[] = [
  ...pathNames.map((name) => field(name, aboutPaths[name].label)),
  field("noise", "Noise rules", (rules) => rules.map(ruleText).join("\n\n")),
];
