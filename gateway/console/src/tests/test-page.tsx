import { Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Play, RotateCw } from "lucide-react";
import { messageOfError } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import { get } from "../api/request.ts";
import { listUnpricedModels } from "../model-prices/unpriced.ts";
import { UnpricedLink } from "../model-prices/unpriced-link.tsx";
import { pollDelay } from "../runs/poll-delay.ts";
import { RunNow } from "../runs/run-now.tsx";
import { isRunning } from "../runs/run-requests.ts";
import { tokensText } from "../traces/tokens-text.ts";
import { ActionButton } from "../ui/action.tsx";
import { Outcome, Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { dollars, duration, score, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { DeliveryTable } from "../webhooks/delivery-table.tsx";
import { listDeliveries } from "../webhooks/webhook-requests.ts";
import { EvaluationCard } from "./evaluation-card.tsx";
import { toText } from "./test-columns.tsx";
import { getTest, refreshedByTests, rerun, type Test } from "./test-requests.ts";
import classes from "./tests.module.css";

const route = getRouteApi("/signed-in/tests/$testId");
const parent = { to: "/tests", label: "Tests" } as const;

export default function TestPage() {
  const { testId } = route.useParams();
  return (
    <Detail
      request={getTest(testId)}
      title="Test"
      parent={parent}
      refreshMs={({ test }) => isRunning(test) && pollDelay(Date.now() - Date.parse(test.modifiedAt))}
    >
      {({ test }) => <TestDetail test={test} />}
    </Detail>
  );
}

const getTestTrace = (id: string) => get("/v0/traces/{id}", { params: { path: { id } } });

const listTestDeliveries = (testId: string) => listDeliveries({ testId: [testId] });

function TestDetail({ test }: { readonly test: Test }) {
  const [isRepeating, repeat] = useDisclosure();
  const { mutate, isPending, error } = useChange(rerun, { refreshes: refreshedByTests });
  const evaluated = test.evals.filter(({ status }) => ["COMPLETED", "FAILED", "SKIPPED"].includes(status));
  const trace = useQuery({ ...read(getTestTrace(test.traceId ?? "")), enabled: test.traceId !== null });
  const steps = trace.data?.data.steps ?? [];
  return (
    <Page
      title={test.task?.title ?? "Test"}
      parent={parent}
      mark={test.outcome === null ? <Status value={test.status} /> : <Outcome value={test.outcome} />}
      requests={[
        getTest(test.id),
        listTestDeliveries(test.id),
        ...(test.traceId === null ? [] : [getTestTrace(test.traceId)]),
      ]}
      actions={
        <>
          <ActionButton operation="POST /v0/tasks/trigger" leftSection={<Play size={14} />} onClick={repeat.open}>
            Rerun
          </ActionButton>
          {evaluated.length > 0 && test.traceId !== null && (
            <ActionButton
              operation="POST /v0/evals/rerun"
              variant="default"
              leftSection={<RotateCw size={14} />}
              loading={isPending}
              onClick={() => mutate({ ids: evaluated.map(({ id }) => id) })}
            >
              Re-score
            </ActionButton>
          )}
        </>
      }
    >
      <Stack gap="lg">
        <Facts
          rows={[
            ["Score", score(test.score)],
            ["Response time", duration(test.durationMs)],
            test.usage !== null && ["Tokens", tokensText(toTokens(test.usage))],
            test.usage !== null && ["Cost", dollars(test.usage.cost)],
            (test.usage?.unpricedSteps ?? 0) > 0 && [
              "No price",
              <UnpricedLink key="unpriced" steps={test.usage?.unpricedSteps ?? 0} models={listUnpricedModels(steps)} />,
            ],
            ["Trigger", words(test.runType)],
            ["Executed", <Time key="executed" value={test.createdAt} />],
            test.waitingFor !== null && ["Waiting for", words(test.waitingFor)],
            test.errorCause !== null && ["Error cause", words(test.errorCause)],
            test.message !== null && ["Message", test.message],
            [
              "Run",
              <AnchorLink key="run" to="/runs/$runId" params={{ runId: test.runId }} inherit>
                Open the run
              </AnchorLink>,
            ],
            [
              "Task",
              <AnchorLink key="task" to="/tasks/$taskId" params={{ taskId: test.taskId }} inherit>
                {test.task?.title ?? "Open the task"}
              </AnchorLink>,
            ],
            test.traceId !== null && [
              "Trace",
              <AnchorLink key="trace" to="/traces/$traceId" params={{ traceId: test.traceId }} inherit>
                Open the trace
              </AnchorLink>,
            ],
            error !== null && ["Re-score", messageOfError(error)],
          ]}
        />
        <Conversation
          prompt={toText(test.prompt) || (trace.data?.data.question ?? "")}
          answer={trace.data?.data.answer ?? undefined}
        />
        <Section title="Evaluations">
          {test.evals.length === 0 ? (
            <Text size="sm" c="dimmed">
              No evaluator applies to this test. Link one to its task, its topic or the application.
            </Text>
          ) : (
            test.evals.map((evaluation) => <EvaluationCard key={evaluation.id} evaluation={evaluation} />)
          )}
        </Section>
        <Section title="Deliveries" description="Delivery of the prompt to the webhook">
          <DeliveryTable request={listTestDeliveries(test.id)}>
            No webhook delivery of this prompt in the last 30 days
          </DeliveryTable>
        </Section>
      </Stack>
      {isRepeating && <RunNow taskIds={[test.taskId]} title="Rerun this task" onClose={repeat.close} />}
    </Page>
  );
}

const toTokens = (usage: NonNullable<Test["usage"]>) => ({
  input: usage.inputTokens,
  output: usage.outputTokens,
  cachedInput: usage.cachedInputTokens,
  cacheWrite: usage.cacheWriteTokens,
  reasoning: usage.reasoningTokens,
});

function Conversation({ prompt, answer }: { readonly prompt: string; readonly answer: string | undefined }) {
  if (prompt === "" && answer === undefined) return null;
  return (
    <div className={classes.columns}>
      <Section title="Prompt">
        <TextFrame text={prompt} label="Prompt" missing="Not recorded" />
      </Section>
      <Section title="Answer">
        <TextFrame text={answer ?? ""} label="Answer" missing="No answer yet" />
      </Section>
    </div>
  );
}

function TextFrame({ text, label, missing }: { text: string; label: string; missing: string }) {
  if (text === "") {
    return (
      <Text size="sm" c="dimmed">
        {missing}
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={classes.text} tabIndex={0} aria-label={label}>
      <Markdown text={text} />
    </section>
  );
}
