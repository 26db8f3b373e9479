import { Button, Group, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { messageOfError } from "../api/errors.ts";
import { listUnpricedModels } from "../model-prices/unpriced.ts";
import { UnpricedLink } from "../model-prices/unpriced-link.tsx";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, dollars, duration } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Time } from "../ui/time.tsx";
import { AttachmentsSection } from "./attachments-section.tsx";
import { DeleteTrace } from "./delete-trace.tsx";
import { EndUser } from "./end-user.tsx";
import { ExternalEvaluationSection } from "./external-evaluation-section.tsx";
import { FeedbackSection } from "./feedback-section.tsx";
import { FilterLink } from "./filter-link.tsx";
import { findLabel } from "./step-label.ts";
import { StepPanel } from "./step-panel.tsx";
import { tokensText } from "./tokens-text.ts";
import { deleteTrace, getTrace, listSteps, type Trace } from "./trace-requests.ts";
import classes from "./traces.module.css";
import { useSteps } from "./use-steps.ts";
import { buildWaterfall } from "./waterfall.ts";
import { WaterfallList } from "./waterfall-list.tsx";

const route = getRouteApi("/signed-in/traces/$traceId");
const parent = { to: "/traces", label: "Traces" } as const;

export default function TracePage() {
  const { traceId } = route.useParams();
  return (
    <Detail request={getTrace(traceId)} title="Trace" parent={parent}>
      {({ data }) => <TraceDetail trace={data} />}
    </Detail>
  );
}

function TraceDetail({ trace }: { readonly trace: Trace }) {
  const { step: selected } = route.useSearch();
  const navigate = route.useNavigate();
  const { steps, isComplete, error, retry } = useSteps(trace);
  const waterfall = useMemo(() => buildWaterfall(steps), [steps]);
  const step = steps.find(({ id }) => id === selected) ?? waterfall.rows[0]?.step;
  // Selecting a step replaces the history entry, so that the Back button returns to the list.
  const select = (id: string) => void navigate({ search: { step: id }, replace: true, resetScroll: false });
  return (
    <Page
      title={findLabel(trace.steps) ?? "Trace"}
      parent={parent}
      actions={<DeleteTrace trace={trace} />}
      mark={trace.hasError && <Status value="error" />}
      requests={[
        getTrace(trace.id),
        deleteTrace(trace.id),
        ...(trace.steps.length < trace.stepCount ? [listSteps(trace.id, 0)] : []),
      ]}
    >
      <Stack gap="md">
        <Facts
          rows={[
            ["Duration", duration(trace.totalDurationMs)],
            ["Steps", count(trace.stepCount)],
            ["Tokens", tokensText(trace.tokens)],
            ["Cost", dollars(trace.totalCost)],
            trace.unpricedSteps > 0 && [
              "No price",
              <UnpricedLink key="unpriced" steps={trace.unpricedSteps} models={listUnpricedModels(steps)} />,
            ],
            ["Started", <Time key="started" value={trace.timestamp} />],
            trace.user !== null && ["End user", <EndUser key="user" user={trace.user} />],
            trace.session !== null &&
              trace.sessionId !== null && [
                "Session",
                <AnchorLink
                  key="session"
                  to="/sessions/$sessionId"
                  params={{ sessionId: trace.sessionId }}
                  inherit
                  lineClamp={3}
                >
                  {trace.session}
                </AnchorLink>,
              ],
            trace.service !== null && ["Service", <FilterLink key="service" filter="service" value={trace.service} />],
            trace.version !== null && ["Version", <FilterLink key="version" filter="version" value={trace.version} />],
            trace.environment !== null && [
              "Environment",
              <FilterLink key="environment" filter="environment" value={trace.environment} />,
            ],
            trace.testId !== null && [
              "Test",
              <AnchorLink key="test" to="/tests/$testId" params={{ testId: trace.testId }} inherit>
                Open the test
              </AnchorLink>,
            ],
            trace.continues !== null && [
              "Continues",
              <AnchorLink key="continues" to="/traces/$traceId" params={{ traceId: trace.continues }} inherit>
                Open the archived trace
              </AnchorLink>,
            ],
            trace.continuedBy !== null && [
              "Continued by",
              <AnchorLink key="continued" to="/traces/$traceId" params={{ traceId: trace.continuedBy }} inherit>
                Open the later steps
              </AnchorLink>,
            ],
          ]}
        />
        {error !== null ? (
          <Group gap="xs" role="alert">
            <Text size="sm">Some steps could not be loaded: {messageOfError(error)}</Text>
            <Button variant="default" size="compact-xs" onClick={retry}>
              Retry
            </Button>
          </Group>
        ) : (
          !isComplete && (
            <Text size="xs" c="dimmed" role="status">
              {count(steps.length)} of {count(trace.stepCount)} steps…
            </Text>
          )
        )}
        {waterfall.rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            No steps yet
          </Text>
        ) : (
          <div className={classes.columns}>
            <WaterfallList waterfall={waterfall} selected={step?.id} onSelect={select} />
            {step !== undefined && <StepPanel key={step.id} step={step} />}
          </div>
        )}
        {trace.attachments.length > 0 && <AttachmentsSection trace={trace} />}
        {trace.externalEvaluations.length > 0 && <ExternalEvaluationSection evaluations={trace.externalEvaluations} />}
        {trace.feedback.length > 0 && <FeedbackSection feedback={trace.feedback} />}
      </Stack>
    </Page>
  );
}
