// Ready reports, for questions that teams often ask.

import { Group } from "@mantine/core";
import { ActionLink } from "../ui/link.tsx";
import { viewerZone } from "../ui/locale.ts";
import { filterPart, pageMax, type ReportSearch } from "./report-search.ts";

const dayMs = 86_400_000;

/** Returns the calendar date of the viewer, some days ago. */
function dayBefore(days: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: viewerZone }).format(new Date(Date.now() - days * dayMs));
}

/** Returns the ready reports about the last seven days, today excluded. */
export function shortcuts(): readonly { readonly label: string; readonly search: ReportSearch }[] {
  const lastWeek = filterPart({
    type: "date",
    column: "createdAt",
    operator: "between",
    value: [dayBefore(7), dayBefore(1)],
  });
  const common = { timezone: viewerZone, limit: pageMax };
  return [
    {
      label: "Cost by model, last 7 days",
      search: {
        ...common,
        source: "step",
        filter: [lastWeek],
        group: ["string:model"],
        measure: ["sum:cost", "count", "sum:inputTokens", "sum:outputTokens", "sum:unpricedSteps"],
        order: ["sum_cost:desc"],
      },
    },
    {
      label: "Cost by day, last 7 days",
      search: {
        ...common,
        source: "trace",
        filter: [lastWeek],
        group: ["date:createdAt:day"],
        measure: ["sum:cost", "count", "avg:errored"],
      },
    },
    {
      label: "Slowest tools, last 7 days",
      search: {
        ...common,
        source: "step",
        filter: [lastWeek, filterPart({ type: "string", column: "type", operator: "eq", value: ["tool"] })],
        group: ["string:tool"],
        measure: ["p95:durationMs", "p50:durationMs", "count", "avg:errored"],
        order: ["p95_durationMs:desc"],
      },
    },
  ];
}

export function Shortcuts() {
  return (
    <Group gap="xs">
      {shortcuts().map(({ label, search }) => (
        <ActionLink
          key={label}
          to="/reports"
          operation="POST /v0/reporting/query"
          search={search}
          variant="default"
          size="xs"
        >
          {label}
        </ActionLink>
      ))}
    </Group>
  );
}
