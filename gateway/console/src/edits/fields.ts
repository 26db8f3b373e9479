// The fields of a draft, as a conflict shows them to a person.

export interface Field<Draft> {
  readonly label: string;
  /** What is compared, such as ids. */
  readonly value: (draft: Draft) => unknown;
  /** What is shown, such as names. Empty where nothing is set. */
  readonly text: (draft: Draft) => string;
}

/** Those of a draft with a varying number of parts depend on the drafts that are compared. */
export type Fields<Draft> = readonly Field<Draft>[] | ((drafts: readonly Draft[]) => readonly Field<Draft>[]);

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Makes fields of single properties. `text` is for values that do not speak for themselves. */
export const fieldFor =
  <Draft>() =>
  <Name extends keyof Draft>(
    name: Name,
    label: string,
    text: (value: Draft[Name]) => string = textOf,
  ): Field<Draft> => ({ label, value: (draft) => draft[name], text: (draft) => text(draft[name]) });

/** The labels of chosen values; a value without a label stands for itself. */
export const chosenFrom =
  (choices: readonly Choice[]) =>
  (chosen: string | null | readonly string[]): string => {
    const label = (value: string) => choices.find((choice) => choice.value === value)?.label ?? value;
    return [chosen ?? []].flat().map(label).join("\n");
  };

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return String(value);
}

export interface FieldDifference {
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  readonly changedBy: "you" | "others" | "both";
}

/** The fields in which two versions differ. */
export function differencesOf<Draft>(
  fields: Fields<Draft>,
  base: Draft,
  mine: Draft,
  theirs: Draft,
): FieldDifference[] {
  return fieldsOf(fields, [base, mine, theirs])
    .filter((each) => !isSame(each, mine, theirs))
    .map((each) => ({
      label: each.label,
      mine: each.text(mine),
      theirs: each.text(theirs),
      changedBy: isSame(each, base, theirs) ? "you" : isSame(each, base, mine) ? "others" : "both",
    }));
}

/** Whether saving `mine` would undo a change of others. */
export const isClash = <Draft>(fields: Fields<Draft>, base: Draft, mine: Draft, theirs: Draft): boolean =>
  fieldsOf(fields, [base, mine, theirs]).some((each) => !isSame(each, base, theirs) && !isSame(each, mine, theirs));

const fieldsOf = <Draft>(fields: Fields<Draft>, drafts: readonly Draft[]) =>
  typeof fields === "function" ? fields(drafts) : fields;

const isSame = <Draft>({ value }: Field<Draft>, a: Draft, b: Draft) =>
  JSON.stringify(value(a)) === JSON.stringify(value(b));
