// Details of a test, below its row in a list: prompt and evaluations.

import { Stack, Text } from "@mantine/core";
import type { RowDetails } from "../ui/table/data-table.tsx";
import { EvaluationCard } from "./evaluation-card.tsx";
import { toText } from "./test-columns.tsx";
import type { Test } from "./test-requests.ts";
import classes from "./tests.module.css";

export const testDetails: RowDetails<Test> = {
  getName: ({ task, taskId }) => `the test of ${task?.title ?? taskId}`,
  content: ({ prompt, message, evals }) => (
    <Stack gap="sm">
      <Text size="sm" className={classes.prompt}>
        {toText(prompt) || "Prompt not recorded"}
      </Text>
      {message !== null && <Text size="sm">{message}</Text>}
      {evals.map((evaluation) => (
        <EvaluationCard key={evaluation.id} evaluation={evaluation} level={2} />
      ))}
      {evals.length === 0 && (
        <Text size="sm" c="dimmed">
          No evaluator applies to this test.
        </Text>
      )}
    </Stack>
  ),
};
