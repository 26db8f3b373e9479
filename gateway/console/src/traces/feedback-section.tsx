// Shows the feedback of end users on a trace, separately from reviews and judges.

import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Time } from "../ui/time.tsx";
import type { Trace } from "./trace-requests.ts";

type Feedback = Trace["feedback"][number];

const columns: readonly Column<Feedback>[] = [
  {
    id: "thumb",
    label: "Opinion",
    isFixed: true,
    width: 120,
    cell: ({ thumb }) => (thumb === null ? "" : thumb === "UP" ? "Thumbs up" : "Thumbs down"),
  },
  { id: "score", label: "Score", isNumber: true, cell: ({ score }) => score ?? "" },
  { id: "comment", label: "Comment", width: 360, cell: ({ comment }) => comment },
  { id: "user", label: "End user", width: 180, cell: ({ user }) => user },
  { id: "time", label: "Given", width: 150, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export function FeedbackSection({ feedback }: Pick<Trace, "feedback">) {
  return (
    <Section title="End-user feedback" description="Not counted as a review">
      <DataTable label="End-user feedback" columns={columns} rows={feedback} skeletonRows={2} />
    </Section>
  );
}
