// Errored tests of a run by cause, each with its meaning and the action that helps.

import { Anchor, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { Play, RotateCw } from "lucide-react";
import { read } from "../api/query.ts";
import { listTests } from "../tests/test-requests.ts";
import { errorCauses } from "../tests/test-search.ts";
import { ActionButton } from "../ui/action.tsx";
import { plural, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { aboutCause, type ErrorCause, findRemedy, type Remedy } from "./error-causes.ts";
import { RunNow } from "./run-now.tsx";
import { isRunning, type Run } from "./run-requests.ts";
import classes from "./runs.module.css";

interface ErrorCausesProps {
  readonly run: Run;
  readonly isRescoring: boolean;
  readonly onRescore: (cause: ErrorCause) => void;
  /** Filters the table of tests by the cause. */
  readonly onShow: (cause: ErrorCause) => void;
}

/** Number of tests whose messages are read to choose the action. */
const sampled = 100;

const listErrored = (runId: string, cause: ErrorCause) =>
  listTests({ runId: [runId], errorCause: [cause], limit: sampled });

export function ErrorCauses({ run, ...actions }: ErrorCausesProps) {
  const answers = useQueries({ queries: errorCauses.map((cause) => read(listErrored(run.id, cause))) });
  const rows = errorCauses.flatMap((cause, at) => {
    const { data, pagination } = answers[at]?.data ?? {};
    const total = pagination?.total ?? 0;
    return data === undefined || total === 0 ? [] : [{ cause, total, remedy: findRemedy(cause, data) }];
  });
  if (rows.length === 0) return null;
  return (
    <Section title="Errored tests">
      <ul className={classes.causes} aria-label="Errored tests by cause">
        {rows.map((row) => (
          <CauseRow key={row.cause} {...row} {...actions} isRunning={isRunning(run)} />
        ))}
      </ul>
    </Section>
  );
}

interface CauseRowProps extends Pick<ErrorCausesProps, "isRescoring" | "onRescore" | "onShow"> {
  readonly cause: ErrorCause;
  readonly total: number;
  readonly remedy: Remedy;
  readonly isRunning: boolean;
}

function CauseRow({ cause, total, remedy, isRunning: isBusy, isRescoring, onRescore, onShow }: CauseRowProps) {
  const [isRepeating, repeat] = useDisclosure();
  const name = words(cause);
  const { taskIds, fixes } = remedy;
  const rerun = `Rerun ${total > sampled ? "the first " : ""}${plural(taskIds.length, "task")}`;
  return (
    <li className={classes.cause}>
      <Anchor component="button" type="button" size="sm" fw={500} onClick={() => onShow(cause)}>
        {name}: {plural(total, "test")}
      </Anchor>
      <Group gap="4px 12px" className={classes.meaning}>
        <Text size="sm" c="dimmed">
          {aboutCause[cause]}
        </Text>
        {fixes.map(({ to, label }) => (
          <AnchorLink key={to} to={to} size="sm">
            {label}
          </AnchorLink>
        ))}
      </Group>
      {!isBusy && (
        <Group gap={4} wrap="nowrap">
          {remedy.canRescore && (
            <ActionButton
              operation="POST /v0/evals/rerun"
              variant="default"
              size="compact-sm"
              leftSection={<RotateCw size={12} />}
              aria-label={`Re-score ${name.toLowerCase()} errors`}
              loading={isRescoring}
              onClick={() => onRescore(cause)}
            >
              Re-score
            </ActionButton>
          )}
          {taskIds.length > 0 && (
            <ActionButton
              operation="POST /v0/tasks/trigger"
              variant="default"
              size="compact-sm"
              leftSection={<Play size={12} />}
              aria-label={`${rerun} with ${name.toLowerCase()} errors`}
              onClick={repeat.open}
            >
              {rerun}
            </ActionButton>
          )}
        </Group>
      )}
      {isRepeating && <RunNow taskIds={taskIds} title={rerun} onClose={repeat.close} />}
    </li>
  );
}
