// Completes text in the filter box: first a field's name, then one of the field's values.

export interface FilterField {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Values that are already set in the filter. */
  readonly chosen: readonly string[];
  choose(value: string): void;
}

export interface Completion {
  /** Completed text: `Status: ` or `Status: Failed`. */
  readonly text: string;
  readonly field: FilterField;
  /** Value to set. Undefined if the completion is only a field's name. */
  readonly value: string | undefined;
}

const completionsMax = 12;
const colon = ":";
const separator = `${colon} `;

const includes = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase());

/** Returns the field whose name, followed by a colon, begins the typed text. */
export function namedField(fields: readonly FilterField[], typed: string): FilterField | undefined {
  const name = typed
    .slice(0, Math.max(typed.indexOf(colon), 0))
    .trim()
    .toLowerCase();
  return fields.find(({ label }) => label.toLowerCase() === name);
}

/** Returns matching fields, then matching values. After a field's name and a colon, returns only its values. */
export function complete(fields: readonly FilterField[], typed: string): Completion[] {
  const named = namedField(fields, typed);
  if (named !== undefined) return matchValues(named, typed.slice(typed.indexOf(colon) + 1)).slice(0, completionsMax);
  const found = fields
    .filter(({ label, options }) => options.length > 0 && includes(label, typed))
    .map((field) => ({ text: `${field.label}${separator}`, field, value: undefined }));
  const values = typed.trim() === "" ? [] : fields.flatMap((field) => matchValues(field, typed));
  return [...found, ...values].slice(0, completionsMax);
}

const matchValues = (field: FilterField, typed: string): Completion[] =>
  field.options
    .filter(({ value, label }) => !field.chosen.includes(value) && includes(label, typed))
    .map(({ value, label }) => ({ text: `${field.label}${separator}${label}`, field, value }));
