import type { Schemas } from "../api/request.ts";
import { plural } from "../ui/format.ts";

type Checked = Schemas["ImportTasksResponse"];

/** Returns CSV for names that end in .csv, and JSON Lines for all other names. */
export const findFormat = ({ name }: Pick<File, "name">) =>
  /\.csv$/i.test(name) ? ("CSV" as const) : ("JSONL" as const);

/** Maximum number of errors that the form shows, because more add little. */
export const displayedMax = 50;

export const countErrors = ({ errors, issuesOmitted }: Pick<Checked, "errors" | "issuesOmitted">) =>
  errors.length + issuesOmitted;

/** Describes the result of the check in a sentence. */
export function describeCheck(checked: Omit<Checked, "created" | "dryRun" | "taskIds">): string {
  const { errors, replacedCharacters, rows } = checked;
  if (errors.length > 0)
    return `Nothing is imported: ${plural(countErrors(checked), "error")} in ${plural(rows, "row")}.`;
  const replaced = replacedCharacters > 0 ? ` ${plural(replacedCharacters, "unstorable character")} replaced.` : "";
  return `${plural(rows, "task")} can be imported: all of them, or none.${replaced}`;
}
