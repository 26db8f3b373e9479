import { buildSelectList } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../../deps.ts";
import { IssueEntity, type IssueRow } from "./entity.ts";
import { issue } from "./messages.ts";
import { buildSubject } from "./subject.ts";

/** Fields of a new issue; omitted fields are empty. */
export type NewIssue = Pick<IssueRow, "title" | "source" | "type"> & Partial<IssueRow>;

/** Serializes the creation of issues with the same subject, so that the second request finds the first one's issue. */
const lockSubject = "SELECT pg_advisory_xact_lock(hashtextextended('experiments.issue/' || $1 || $2, 0))";
const sameOpen = `SELECT ${buildSelectList(IssueEntity, "issue")} FROM experiments.issue
  WHERE application_id = $1 AND subject = $2 AND status = 'OPEN' ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE`;

const descriptionLengthMax = 10_000;
const priorities = ["LOW", "MEDIUM", "HIGH"] as const;

/** Creates an issue with its event, or merges the new data into the open issue with the same subject. */
export async function openIssue(
  { publish, clock, newId }: Pick<Deps, "publish" | "clock" | "newId">,
  tx: Transaction,
  { tenant }: { readonly tenant: Pick<Tenant, "applicationId" | "orgId"> },
  fields: NewIssue,
): Promise<IssueRow> {
  const now = clock.now();
  const about = { annotationId: null, evalDefinitionId: null, experimentId: null, parentId: null };
  const opened: IssueRow = {
    applicationId: tenant.applicationId,
    id: newId(),
    orgId: tenant.orgId,
    description: null,
    priority: "MEDIUM",
    status: "OPEN",
    assignedTo: null,
    ...about,
    taskId: null,
    testId: null,
    topicId: null,
    traceId: null,
    createdAt: now,
    modifiedAt: now,
    lastOccurredAt: now,
    occurrences: 1,
    summary: null,
    comment: null,
    impact: null,
    resolvedByTestId: null,
    subject: null,
    ...fields,
  };
  const row = { ...opened, subject: opened.subject ?? buildSubject(opened) };
  const same = row.subject === null ? undefined : await findSame(tx, row.applicationId, row.subject);
  if (same === undefined) {
    await tx.insert(IssueEntity, row);
    await publish(tx, tenant, { case: "issueCreated", value: issue({ ...row, issues: [] }, new Map()) });
    return row;
  }
  const change = { ...merged(same, row), modifiedAt: now, lastOccurredAt: now };
  tx.deferUpdate(IssueEntity, { applicationId: same.applicationId, id: same.id }, change);
  return { ...same, ...change };
}

async function findSame(tx: Transaction, applicationId: string, subject: string): Promise<IssueRow | undefined> {
  tx.defer(lockSubject, [applicationId, subject]);
  const [found] = await tx.query<IssueRow>(sameOpen, [applicationId, subject]);
  return found;
}

/** Returns the changes to the open issue; new text is appended up to the length limit. */
function merged(same: IssueRow, { title, description, impact, priority }: IssueRow): Partial<IssueRow> {
  const before = same.description ?? "";
  // A title may repeat the beginning of the description.
  const hasTitle = title === same.title || (description ?? "").startsWith(title.replace(/…$/, ""));
  const texts = [hasTitle ? "" : title, description ?? ""].filter((text) => text !== "");
  const added = texts.filter((text) => !before.includes(text));
  const whole = [before, ...added].filter((text) => text !== "").join("\n\n");
  return {
    occurrences: same.occurrences + 1,
    priority: priorities[Math.max(priorities.indexOf(same.priority), priorities.indexOf(priority))] ?? priority,
    ...(added.length > 0 && whole.length <= descriptionLengthMax && { description: whole }),
    ...(impact !== null && { impact }),
  };
}
