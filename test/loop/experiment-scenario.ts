// An experiment with a known outcome: the settings of each variant, the tasks that the application passes with them,
// and the expected comparison with the baseline. Pure functions, without any of the product's code.

export const taskCount = 60;
export const inferenceSteps = ["find-passages", "write_answer"] as const;

type Config = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface PlannedVariant {
  readonly name: string;
  readonly patch: Config;
  /** Variant from which this one branches. Default: the baseline. */
  readonly parent?: string;
  readonly outcome: "better" | "worse" | "no_evidence";
}

export const baseline: Config = {
  "find-passages": { top: 3 },
  write_answer: { model: "large", temperature: 0.7, stop: ["\n\n", null] },
};
export const variants: readonly PlannedVariant[] = [
  { name: "More passages", patch: { "find-passages": { top: 8 } }, outcome: "better" },
  { name: "Colder", patch: { write_answer: { temperature: 0 } }, outcome: "no_evidence" },
  { name: "Smaller", patch: { write_answer: { model: "small" } }, parent: "Colder", outcome: "worse" },
];

/** Returns all overrides of a variant, from the baseline on. */
export function getOverrides(name: string): Config {
  const variant = variants.find((each) => each.name === name);
  if (variant === undefined) return baseline;
  const before = getOverrides(variant.parent ?? "");
  return Object.fromEntries(
    Object.entries(before).map(([step, parameters]) => [step, { ...parameters, ...variant.patch[step] }]),
  );
}

/** True if the application passes a task: half of them, 12 more with more passages, fewer with a small model. */
export function isAnswered(task: number, overrides: Config): boolean {
  const { top } = overrides["find-passages"] ?? {};
  const { model, temperature } = overrides.write_answer ?? {};
  if (model === "small" && task < 20) return false;
  if (top === 8 && task < 24) return true;
  // The numbers of lost and gained tasks are equal.
  if (temperature === 0 && task >= 56) return task % 2 === 1;
  return task % 2 === 0;
}

export const getAnswer = (task: number, overrides: Config) =>
  isAnswered(task, overrides) ? "Free of charge: code 7." : "Free of charge.";

/** Lists the tasks that a variant passes. */
export const passedTasks = (name: string): number[] =>
  Array.from({ length: taskCount }, (_, task) => task).filter((task) => isAnswered(task, getOverrides(name)));
