// Entries of the audit log in words. Pure.

import type { Change } from "../ui/diff/changes-table.tsx";
import { count } from "../ui/format.ts";
import type { AuditEntry } from "./audit-requests.ts";

type LoggedChange = AuditEntry["changes"][number];

/** Fields by which people know a resource, the best first. */
const nameFields = ["title", "name", "statement", "email"];

/** What the changed resource is called, where the entry has it. */
export function nameOfEntry({ changes }: AuditEntry): string | undefined {
  for (const nameField of nameFields) {
    const change = changes.find(({ field }) => field === nameField);
    const name = [change?.after, change?.before].find((value) => typeof value === "string" && value !== "");
    if (typeof name === "string") return name;
  }
  return undefined;
}

/** `TopicService/UpdateTopic` of `ems.catalog.v1.TopicService/UpdateTopic`. */
export const operationOf = ({ operation }: AuditEntry) => operation.split(".").at(-1) ?? operation;

export const changesOfEntry = ({ changes }: AuditEntry): Change[] =>
  changes.map((change) => ({
    id: change.field,
    name: change.field,
    before: shownValue(change.before),
    after: shownValue(change.after),
    isChanged: true,
    ...withheld(change),
  }));

/** Of what was erased, the log keeps the names of fields. */
function withheld({ before, after, isSecret }: LoggedChange): Pick<Change, "withheld"> {
  if (isSecret) return { withheld: "Secret, not logged" };
  return before === undefined && after === undefined ? { withheld: "Erased" } : {};
}

/** A text as it is, anything else as JSON; undefined where there is nothing. */
function shownValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  return isDigest(value)
    ? `${count(value.bytes)} bytes with the SHA-256 digest ${value.sha256}`
    : JSON.stringify(value, null, 2);
}

interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/** What stands in the log for a long value. */
function isDigest(value: unknown): value is Digest {
  if (typeof value !== "object" || value === null) return false;
  const { bytes, sha256, ...others } = value as Partial<Digest>;
  return typeof bytes === "number" && typeof sha256 === "string" && Object.keys(others).length === 0;
}
