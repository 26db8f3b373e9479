import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { Payload } from "../traces/payload.tsx";
import { getTrace } from "../traces/trace-requests.ts";
import { AnchorLink } from "../ui/link.tsx";
import { ErrorState } from "../ui/states.tsx";

/** Shows a trace's question and answer, with a link to the page that shows all steps. */
export function TraceConversation({ traceId }: { readonly traceId: string }) {
  const { data, error, refetch } = useQuery(read(getTrace(traceId)));
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <div role="status" aria-busy aria-label="Loading" />;
  }
  const { question, answer } = data.data;
  return (
    <Stack gap="md">
      {question !== null && <Payload title="Question" text={question} />}
      {answer !== null && <Payload title="Answer" text={answer} />}
      <Text size="sm">
        <AnchorLink to="/traces/$traceId" params={{ traceId }} inherit>
          {question === null && answer === null
            ? "No question or answer recorded. Open the trace"
            : "Open the full trace"}
        </AnchorLink>
      </Text>
    </Stack>
  );
}
