// Formats entries of the audit log. All functions are pure.

import type { Change } from "../ui/diff/changes-table.tsx";
import { count } from "../ui/format.ts";
import type { AuditEntry } from "./audit-requests.ts";

type LoggedChange = AuditEntry["changes"][number];

/** Fields that contain a resource's name, in order of preference. */
const nameFields = ["title", "name", "statement", "email"];

/** Returns the name of the changed resource, if the entry contains it. */
export function nameOfEntry({ changes }: AuditEntry): string | undefined {
  for (const nameField of nameFields) {
    const change = changes.find(({ field }) => field === nameField);
    const name = [change?.after, change?.before].find((value) => typeof value === "string" && value !== "");
    if (typeof name === "string") return name;
  }
  return undefined;
}

/** Shortens `ems.catalog.v1.TopicService/UpdateTopic` to `TopicService/UpdateTopic`. */
export const formatOperation = ({ operation }: AuditEntry) => operation.split(".").at(-1) ?? operation;

export const changesOfEntry = ({ changes }: AuditEntry): Change[] =>
  changes.map((change) => ({
    id: change.field,
    name: change.field,
    before: formatChangedValue(change.before),
    after: formatChangedValue(change.after),
    isChanged: true,
    ...withheld(change),
  }));

/** Explains why values are missing: they are secret, or an erasure removed them and kept only the field names. */
function withheld({ before, after, isSecret }: LoggedChange): Pick<Change, "withheld"> {
  if (isSecret) return { withheld: "Secret, not logged" };
  return before === undefined && after === undefined ? { withheld: "Erased" } : {};
}

/** Formats a value: text unchanged, anything else as JSON; undefined for null. */
function formatChangedValue(value: unknown): string | undefined {
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

/** Returns true if the value is the digest that the log stores in place of a long value. */
function isDigest(value: unknown): value is Digest {
  if (typeof value !== "object" || value === null) return false;
  const { bytes, sha256, ...rest } = value as Partial<Digest>;
  return typeof bytes === "number" && typeof sha256 === "string" && Object.keys(rest).length === 0;
}
