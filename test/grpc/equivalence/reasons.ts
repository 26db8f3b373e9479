// The table of reasons in ERRORS.md: the gRPC code and the REST status of each reason.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Code } from "@connectrpc/connect";

const table = readFileSync(join(import.meta.dirname, "../../../proto/google/ERRORS.md"), "utf8");

const reasons = new Map(
  [...table.matchAll(/^\| `([A-Z_]+)` +\| ([A-Z_]+) +\| (\d+) +\|/gm)].map(
    ([, reason = "", code = "", status]) => [reason, { code: codeNamed(code), status: Number(status) }] as const,
  ),
);

function codeNamed(name: string): Code {
  const camelCase = name.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  // Connect's enumeration spells this code with one l.
  const code = Code[(camelCase === "Cancelled" ? "Canceled" : camelCase) as keyof typeof Code];
  if (code === undefined) throw new Error(`the table names ${name}, which is no code`);
  return code;
}

/** Returns the REST status of a gRPC error; throws when the table has another code for its reason. */
export function statusOfReason(reason: string, code: Code): number {
  const row = reasons.get(reason);
  if (row?.code !== code) throw new Error(`${reason} with the code ${Code[code]} is not in the table of reasons`);
  return row.status;
}
