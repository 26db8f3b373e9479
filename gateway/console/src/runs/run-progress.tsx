import { Progress, Text } from "@mantine/core";
import { count } from "../ui/format.ts";
import type { Run } from "./run-requests.ts";
import classes from "./runs.module.css";

/** Shows how many of a run's tests have finished. */
export function RunProgress({ progress }: Pick<Run, "progress">) {
  const { completed = 0, total = 0 } = progress ?? {};
  const text = `${count(completed)} of ${count(total)}`;
  return (
    <span className={classes.progress}>
      <Progress
        value={total === 0 ? 0 : (100 * completed) / total}
        aria-label={`${text} tests finished`}
        size={6}
        className={classes.bar}
      />
      <Text component="span" inherit className={classes.number}>
        {text}
      </Text>
    </span>
  );
}
