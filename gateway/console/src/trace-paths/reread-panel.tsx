// Applies the saved paths of session and end user to stored traces.

import { count } from "../ui/format.ts";
import { RangeChange } from "../ui/range-change.tsx";
import { type RereadCounts, rereadTraces } from "./trace-path-requests.ts";

const plus = (sum: RereadCounts | undefined, part: RereadCounts): RereadCounts => ({
  ...part,
  traces: (sum?.traces ?? 0) + part.traces,
  changedSessions: (sum?.changedSessions ?? 0) + part.changedSessions,
  changedUsers: (sum?.changedUsers ?? 0) + part.changedUsers,
  redactedTraces: (sum?.redactedTraces ?? 0) + part.redactedTraces,
});

export function RereadPanel() {
  return (
    <RangeChange
      title="Read stored traces again"
      description="Uses the saved paths of session and end user. Questions and answers need no rereading"
      label="Reread"
      operation="POST /v0/ingest-settings/reread"
      request={rereadTraces}
      refreshes={["/v0/traces", "/v0/sessions"]}
      plus={plus}
    >
      {(sum, verb) => (
        <>
          {verb} the session of {count(sum.changedSessions)} and the end user of {count(sum.changedUsers)} of{" "}
          {count(sum.traces)} traces.
          {sum.redactedTraces > 0 && ` ${count(sum.redactedTraces)} traces keep them, because the value is redacted.`}
          {sum.archivedTraces > 0 && ` ${count(sum.archivedTraces)} archived traces do not change.`}
        </>
      )}
    </RangeChange>
  );
}
