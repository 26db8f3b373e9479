import type { Schemas } from "../api/request.ts";
import { plural } from "../ui/format.ts";

export type Checked = Schemas["ImportTasksResponse"];

/** Fields that a column of a file may become. */
export const mappableFields = [
  "prompt",
  "expected",
  "title",
  "description",
  "id",
  "topic",
  "tags",
  "metadata",
  "ignore",
];

/** Maximum number of errors that the form shows, because more add little. */
export const displayedMax = 50;

export const countErrors = ({ errors, issuesOmitted }: Pick<Checked, "errors" | "issuesOmitted">) =>
  errors.length + issuesOmitted;

type Described = Pick<Checked, "errors" | "issuesOmitted" | "replacedCharacters" | "rows"> &
  Partial<Pick<Checked, "updated" | "unchanged" | "conflicts" | "blankRows">>;

/** Describes the result of the check in a sentence or more. */
export function describeCheck(checked: Described): string {
  const { errors, replacedCharacters, rows, updated = 0, unchanged = 0, conflicts = 0, blankRows = 0 } = checked;
  if (errors.length > 0)
    return `Nothing is imported: ${plural(countErrors(checked), "error")} in ${plural(rows, "row")}.`;
  const matched = updated + unchanged + conflicts;
  const counts = matched > 0 ? ` ${rows - matched} new, ${updated} changed, ${unchanged} unchanged.` : "";
  const edited = conflicts > 0 ? ` ${plural(conflicts, "task")} edited here and kept.` : "";
  const replaced = replacedCharacters > 0 ? ` ${plural(replacedCharacters, "unstorable character")} replaced.` : "";
  const blank = blankRows > 0 ? ` ${plural(blankRows, "blank row")} ignored.` : "";
  return `${plural(rows, "task")} can be imported: all of them, or none.${counts}${edited}${blank}${replaced}`;
}

/** Returns the mapping after a column gets another field; undefined removes it. */
export function changeMapping(
  mapping: Readonly<Record<string, string>>,
  { columns }: Pick<Checked, "columns">,
  name: string,
  field: string | null,
): Record<string, string> {
  // The first change keeps what the file's shape has made of the other columns.
  const before =
    Object.keys(mapping).length > 0
      ? mapping
      : Object.fromEntries(
          columns.flatMap((column) => (isMappable(column.becomes) ? [[column.name, column.becomes]] : [])),
        );
  const { [name]: _, ...rest } = before;
  return field === null ? rest : { ...rest, [name]: field };
}

const isMappable = (field: string) => mappableFields.includes(field) || /^(?:examples\.)?metadata\./.test(field);
