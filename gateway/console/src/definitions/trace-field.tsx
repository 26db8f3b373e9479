import { Autocomplete, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { get } from "../api/request.ts";
import { localTime } from "../ui/format.ts";

const latestTraces = get("/v0/traces", { params: { query: { limit: 10, orderBy: "timestamp", orderDir: "desc" } } });

interface TraceFieldProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (traceId: string) => void;
}

/** Field to select a trace, by typing its id or from the latest traces. */
export function TraceField({ value, error, onChange }: TraceFieldProps) {
  const { data } = useQuery(read(latestTraces));
  const traces = new Map((data?.data ?? []).map((trace) => [trace.id, trace]));
  return (
    <Autocomplete
      label="Trace"
      description="Trace id, or one of the latest traces"
      size="sm"
      data={[...traces.keys()]}
      value={value}
      error={error}
      onChange={onChange}
      // List all options, regardless of the typed text.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const trace = traces.get(option.value);
        return (
          <span>
            <Text span size="xs" display="block">
              {trace?.timestamp == null ? option.value : localTime(trace.timestamp)}
            </Text>
            <Text span size="xs" c="dimmed" display="block">
              {trace?.referenceId ?? option.value}
            </Text>
          </span>
        );
      }}
    />
  );
}
