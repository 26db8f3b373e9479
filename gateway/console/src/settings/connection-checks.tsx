import { Alert, Stack, Text } from "@mantine/core";
import { Facts } from "../ui/facts.tsx";
import { duration } from "../ui/format.ts";
import type { ConnectionTest } from "./settings-requests.ts";

interface ConnectionChecksProps {
  readonly test: ConnectionTest;
}

const yesNo = (value: boolean | null) => (value === null ? "Not checked" : value ? "Yes" : "No");

const structuredOutputs = {
  HONORED: "Yes",
  EMULATED: "Emulated",
  NOT_USABLE: "Not usable",
} as const;

/** Shows the result of a connection test: each check, and a sentence for each that failed or is limited. */
export function ConnectionChecks({ test }: ConnectionChecksProps) {
  const { ok, model, latencyMs, error, structuredOutput, problems } = test;
  // A failed check already has the error as its sentence.
  const sentences = problems.map(({ message }) => message).filter((message) => ok || message !== error);
  return (
    <Alert color={ok ? (problems.length === 0 ? "green" : "yellow") : "red"} role="status" p="xs">
      <Stack gap="xs">
        <Text size="sm">
          {ok ? `${model} judged the example in ${duration(latencyMs)}.` : `No judgment: ${error ?? "unknown reason"}`}
        </Text>
        <Facts
          rows={[
            ["Reachable", yesNo(test.reachable)],
            ["Key accepted", yesNo(test.authenticated)],
            ["Model exists", yesNo(test.modelExists)],
            ["Structured output", structuredOutput === null ? "Not checked" : structuredOutputs[structuredOutput]],
            ["Reports tokens", yesNo(test.usageReported)],
            ["Price known", yesNo(test.priceKnown)],
          ]}
        />
        {sentences.map((sentence) => (
          <Text key={sentence} size="sm">
            {sentence}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
