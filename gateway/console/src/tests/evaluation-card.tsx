// Shows one evaluation: its score, result and reasons.

import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Passed, Reliable, Status } from "../ui/badges.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, dollars, duration, score, words } from "../ui/format.ts";
import { Markdown } from "../ui/markdown.tsx";
import { readFindings } from "./evaluation-findings.ts";
import type { Evaluation } from "./test-requests.ts";
import classes from "./tests.module.css";

const microPerDollar = 1_000_000;

/** Fields of an evaluation that a definition's trial also has. */
export type DisplayedEvaluation = Pick<
  Evaluation,
  | "status"
  | "passed"
  | "score"
  | "message"
  | "waitingFor"
  | "results"
  | "judgeVersion"
  | "definitionVersion"
  | "model"
  | "inputTokens"
  | "outputTokens"
  | "costMicro"
  | "uncertainCostMicro"
  | "estimatedTokens"
  | "durationMs"
  | "attempts"
> & {
  /** True if the judge is reliable. Undefined for trials. */
  readonly reliable?: Evaluation["reliable"];
  readonly definition: Pick<NonNullable<Evaluation["definition"]>, "name" | "type"> | null;
};

interface EvaluationCardProps {
  readonly evaluation: DisplayedEvaluation;
  /** Level of the heading. Default: 3, for cards within a section. */
  readonly level?: 2 | 3;
}

export function EvaluationCard({ evaluation, level = 3 }: EvaluationCardProps) {
  const { definition, status, passed, message, waitingFor, results } = evaluation;
  const { reasoning, quotes, grades, lists } = readFindings(results);
  return (
    <Paper withBorder p="md" component="article">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Title order={level} size="h3">
              {definition?.name ?? "Deleted evaluator"}
            </Title>
            <Text size="xs" c="dimmed">
              {words(definition?.type)}
            </Text>
          </Group>
          <Group gap="md">
            {evaluation.reliable === false && <Reliable value={false} />}
            {status !== "COMPLETED" && <Status value={status} />}
            <Text size="sm" fw={600} className={classes.score}>
              {score(evaluation.score)}
            </Text>
            <Passed value={passed} />
          </Group>
        </Group>
        {message !== null && <Text size="sm">{message}</Text>}
        {waitingFor !== null && (
          <Text size="sm" c="dimmed">
            Waiting for: {words(waitingFor).toLowerCase()}
          </Text>
        )}
        {grades.length > 0 && <Facts rows={grades.map(({ name, score: value }) => [name, score(value)] as const)} />}
        {reasoning !== "" && <Markdown text={reasoning} />}
        {quotes.map(({ claim, quote }) => (
          <blockquote key={`${claim} ${quote}`} className={classes.quote}>
            {claim !== undefined && (
              <Text size="xs" c="dimmed">
                {claim}
              </Text>
            )}
            {quote}
          </blockquote>
        ))}
        {lists.map(({ title, items }) => (
          <div key={title}>
            <Text size="xs" c="dimmed">
              {title}
            </Text>
            <ul className={classes.list}>
              {[...new Set(items)].map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </div>
        ))}
        <Judged evaluation={evaluation} />
        {results !== null && (
          <details className={classes.raw}>
            <summary>Full result</summary>
            <CodeBlock text={JSON.stringify(results, null, 2)} label="result as JSON" />
          </details>
        )}
      </Stack>
    </Paper>
  );
}

/** Shows judge, model, tokens and cost of an evaluation. */
function Judged({ evaluation }: { readonly evaluation: DisplayedEvaluation }) {
  const { judgeVersion, definitionVersion, model, inputTokens, outputTokens, costMicro, durationMs, attempts } =
    evaluation;
  const uncertainMicro = evaluation.uncertainCostMicro ?? 0;
  const estimated = evaluation.estimatedTokens ?? 0;
  if (judgeVersion === null) return null;
  const parts = [
    `Judge ${judgeVersion}`,
    definitionVersion !== null && `evaluator version ${definitionVersion}`,
    model,
    inputTokens !== null && `${count(inputTokens)} + ${count(outputTokens)} tokens`,
    estimated > 0 && `${count(estimated)} estimated`,
    costMicro !== null && dollars(costMicro / microPerDollar),
    uncertainMicro > 0 && `up to ${dollars(uncertainMicro / microPerDollar)} uncertain`,
    durationMs !== null && duration(durationMs),
    attempts !== null && attempts > 1 && `${attempts} attempts`,
  ];
  return (
    <Text size="xs" c="dimmed">
      {parts.filter((part) => part !== false && part !== null).join(" · ")}
    </Text>
  );
}
