// Fields of a draft, as the conflict dialog compares and shows them.

export interface Field<Draft> {
  readonly label: string;
  /** Value to compare, such as an id. */
  readonly value: (draft: Draft) => unknown;
  /** Text to display, such as a name. Empty if nothing is set. */
  readonly text: (draft: Draft) => string;
}

/** Fields of a draft. If their number varies, a function that returns the fields of the compared drafts. */
export type Fields<Draft> = readonly Field<Draft>[] | ((drafts: readonly Draft[]) => readonly Field<Draft>[]);

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Creates a field for one property of a draft. `text` formats values that people cannot read, such as ids. */
export const fieldFor =
  <Draft>() =>
  <Name extends keyof Draft>(
    name: Name,
    label: string,
    text: (value: Draft[Name]) => string = formatValue,
  ): Field<Draft> => ({ label, value: (draft) => draft[name], text: (draft) => text(draft[name]) });

/** Formats values as their labels, one per line. A value without a label is displayed as is. */
export const chosenFrom =
  (choices: readonly Choice[]) =>
  (chosen: string | null | readonly string[]): string => {
    const label = (value: string) => choices.find((choice) => choice.value === value)?.label ?? value;
    return [chosen ?? []].flat().map(label).join("\n");
  };

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.map(formatValue).join("\n");
  return String(value);
}

export interface FieldDifference {
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  readonly changedBy: "you" | "others" | "both";
}

/** Returns the fields in which `mine` and `theirs` differ, and who changed them since `base`. */
export function findDifferences<Draft>(
  fields: Fields<Draft>,
  base: Draft,
  mine: Draft,
  theirs: Draft,
): FieldDifference[] {
  return resolveFields(fields, [base, mine, theirs])
    .filter((each) => !isSame(each, mine, theirs))
    .map((each) => ({
      label: each.label,
      mine: each.text(mine),
      theirs: each.text(theirs),
      changedBy: isSame(each, base, theirs) ? "you" : isSame(each, base, mine) ? "others" : "both",
    }));
}

/** Returns true if saving `mine` would undo another person's change. */
export const isClash = <Draft>(fields: Fields<Draft>, base: Draft, mine: Draft, theirs: Draft): boolean =>
  resolveFields(fields, [base, mine, theirs]).some(
    (each) => !isSame(each, base, theirs) && !isSame(each, mine, theirs),
  );

const resolveFields = <Draft>(fields: Fields<Draft>, drafts: readonly Draft[]) =>
  typeof fields === "function" ? fields(drafts) : fields;

const isSame = <Draft>({ value }: Field<Draft>, a: Draft, b: Draft) =>
  JSON.stringify(value(a)) === JSON.stringify(value(b));
