// State of each scheduled export: progress, last object and last error.

import { Alert, Stack } from "@mantine/core";
import { Facts } from "../ui/facts.tsx";
import { bytes, plural, words } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import type { ExportState } from "./export-requests.ts";

export function ExportStates({ states }: { readonly states: readonly ExportState[] }) {
  return states.map((state) => (
    <Section key={state.dataset} title={words(state.dataset)}>
      <Stack gap="sm">
        {state.error !== null && (
          <Alert
            color="red"
            p="xs"
            title={`Failed ${plural(state.error.attempts, "time")}: ${words(state.error.cause)}`}
          >
            {state.error.message} Last attempt: <Time value={state.error.at} />
          </Alert>
        )}
        <Facts rows={stateFacts(state)} />
      </Stack>
    </Section>
  ));
}

function stateFacts({ exportedUntil, lastRunAt, nextRunAt, lastExport }: ExportState) {
  return [
    ["Exported until", <Time key="until" value={exportedUntil} />] as const,
    ["Last run", <Time key="last" value={lastRunAt} />] as const,
    ["Next run", nextRunAt === null ? "Stopped" : <Time key="next" value={nextRunAt} />] as const,
    lastExport !== null &&
      ([
        "Last period",
        <>
          <Time value={lastExport.startDate} />: {plural(lastExport.rows, "line")} in{" "}
          {plural(lastExport.objects, "object")}, {bytes(lastExport.bytes)}
        </>,
      ] as const),
  ];
}
