import { Stack, Text } from "@mantine/core";
import { Facts } from "../ui/facts.tsx";
import { count, missing } from "../ui/format.ts";
import type { Difference } from "./comparison-requests.ts";
import { describeDifference } from "./differences.ts";

/** API default of the difference to detect, in percentage points. */
const detectedByDefault = "5";

interface DifferenceFactsProps {
  readonly difference: Difference;
  /** Difference to detect, in percentage points. Default: the API's default. */
  readonly detect?: string | undefined;
}

const probability = (p: number | null | undefined) => (p == null ? missing : p < 0.001 ? "< 0.001" : p.toFixed(3));

/** Summarizes a difference over all tests: its significance, and the number of tasks needed to detect `detect`. */
export function DifferenceFacts({ difference, detect = detectedByDefault }: DifferenceFactsProps) {
  const { commonTasks, passRate, mcnemarP, smallestDetectable, tasksNeeded } = difference;
  return (
    <Stack gap="sm">
      <Text fw={500}>{describeDifference(difference)}</Text>
      <Facts
        rows={[
          ["Method", difference.method === "paired" ? "Task by task" : "Means of all tasks"],
          ["Tasks in common", count(commonTasks)],
          passRate !== null && ["p-value", probability(passRate.p)],
          mcnemarP !== null && ["p-value (McNemar)", probability(mcnemarP)],
          smallestDetectable !== null && [
            "Smallest detectable difference",
            `${(100 * smallestDetectable).toFixed(0)} pts`,
          ],
          tasksNeeded !== null && [
            `Tasks needed to detect ${detect} ${detect === "1" ? "pt" : "pts"}`,
            count(tasksNeeded),
          ],
        ]}
      />
    </Stack>
  );
}
