import type { FunctionComponent } from "react";
import { RetainedSince } from "../retention/retained-since.tsx";
import type { FilterProps } from "../ui/filters/filters.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { listPage } from "../ui/list-page.tsx";
import { DeleteTraces } from "./delete-traces.tsx";
import { traceColumns } from "./trace-columns.tsx";
import { listTraces, sampleIngest } from "./trace-requests.ts";
import { type TraceSearch, thumbs, traceUrl } from "./trace-search.ts";
import { UnindexedNote } from "./unindexed-note.tsx";

const TraceListPage: FunctionComponent = listPage({
  title: "Traces",
  description: (search) => (
    <>
      Steps and costs of each request
      <RetainedSince of="traces" range={search} />
    </>
  ),
  url: traceUrl,
  list: listTraces,
  columns: traceColumns,
  filters: [
    { text: "search", label: "Search inputs and outputs" },
    { text: "user", label: "End user" },
    { text: "session", label: "Session" },
    { text: "service", label: "Service" },
    { text: "version", label: "Version" },
    { text: "environment", label: "Environment" },
    { text: "externalEvaluation", label: "External evaluation" },
    "days",
    { flag: "hasError", label: "With errors" },
    DurationFilter,
    FeedbackFilter,
  ],
  actions: (_, search) => <DeleteTraces search={search} />,
  Bar: UnindexedNote,
  empty: {
    title: "No traces yet",
    text: "Send traces with OpenTelemetry or POST /v0/ingest.",
    request: sampleIngest,
  },
});
export default TraceListPage;

const durations = [
  { value: "1000", label: "1 s and longer" },
  { value: "5000", label: "5 s and longer" },
  { value: "30000", label: "30 s and longer" },
] as const;

function DurationFilter({ search, onChange }: FilterProps<TraceSearch>) {
  return (
    <SingleFilter
      label="Duration"
      options={durations}
      value={durations.find(({ value }) => Number(value) === search.minDuration)?.value}
      onChange={(value) => onChange({ minDuration: value === undefined ? undefined : Number(value) })}
    />
  );
}

const opinions = [
  { value: "UP", label: "Thumbs up" },
  { value: "DOWN", label: "Thumbs down" },
] as const;

function FeedbackFilter({ search, onChange }: FilterProps<TraceSearch>) {
  return (
    <SingleFilter
      label="User feedback"
      options={opinions}
      value={search.feedbackThumb}
      onChange={(value) => onChange({ feedbackThumb: thumbs.find((thumb) => thumb === value) })}
    />
  );
}
