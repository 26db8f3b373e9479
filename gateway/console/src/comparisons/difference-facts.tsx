import { Stack, Text } from "@mantine/core";
import { Facts } from "../ui/facts.tsx";
import { count, missing, plural } from "../ui/format.ts";
import type { Difference } from "./comparison-requests.ts";
import { sentenceOf } from "./differences.ts";

/** In percentage points. */
const detectedByDefault = "5";

interface DifferenceFactsProps {
  readonly difference: Difference;
  /** What the request asked for, in percentage points; the API's own when undefined. */
  readonly detect?: string | undefined;
}

const probability = (p: number | null | undefined) => (p == null ? missing : p < 0.001 ? "< 0.001" : p.toFixed(3));

/** What a difference of all tests says, how sure that is, and what would make it surer. */
export function DifferenceFacts({ difference, detect = detectedByDefault }: DifferenceFactsProps) {
  const { commonTasks, passRate, mcnemarP, smallestDetectable, tasksNeeded } = difference;
  return (
    <Stack gap="sm">
      <Text fw={500}>{sentenceOf(difference)}</Text>
      <Facts
        rows={[
          ["Compared", difference.method === "paired" ? "Task by task" : "By the means of all tasks"],
          ["Tasks in common", count(commonTasks)],
          passRate !== null && ["p-value", probability(passRate.p)],
          mcnemarP !== null && ["p-value (McNemar)", probability(mcnemarP)],
          smallestDetectable !== null && ["Could be seen", `${(100 * smallestDetectable).toFixed(0)} points`],
          tasksNeeded !== null && [
            `To see ${detect === "1" ? "1 point" : `${detect} points`}`,
            plural(tasksNeeded, "task"),
          ],
        ]}
      />
    </Stack>
  );
}
