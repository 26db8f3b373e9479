import type { Schemas } from "../api/request.ts";
import { plural } from "../ui/format.ts";

type Checked = Schemas["ImportTasksResponse"];

/** All other names are read as JSON Lines. */
export const findFormat = ({ name }: Pick<File, "name">) =>
  /\.csv$/i.test(name) ? ("CSV" as const) : ("JSONL" as const);

/** Errors that the form shows; the rest of a long list adds little. */
export const shownMax = 50;

export const countErrors = ({ errors, issuesOmitted }: Pick<Checked, "errors" | "issuesOmitted">) =>
  errors.length + issuesOmitted;

/** The result of the check, in a sentence. */
export function describeCheck(checked: Omit<Checked, "created" | "dryRun" | "taskIds">): string {
  const { errors, replacedCharacters, rows } = checked;
  if (errors.length > 0)
    return `Nothing is imported: ${plural(countErrors(checked), "error")} in ${plural(rows, "row")}.`;
  const replaced = replacedCharacters > 0 ? ` ${plural(replacedCharacters, "unstorable character")} replaced.` : "";
  return `${plural(rows, "task")} can be imported: all of them, or none.${replaced}`;
}
