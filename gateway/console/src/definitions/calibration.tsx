// Shows how well a definition's judge agrees with people, and the pass rate corrected by that.

import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import type { Schemas } from "../api/request.ts";
import { ActionButton } from "../ui/action.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, missing } from "../ui/format.ts";
import { Rate } from "../ui/rate.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { timeColumn } from "../ui/table/usual-columns.tsx";
import { getCalibration } from "./definition-requests.ts";
import { FillQueueForm } from "./fill-queue-form.tsx";

type JudgeQuality = Schemas["JudgeQuality"];
type Estimate = JudgeQuality["kappa"];

interface VersionRow extends JudgeQuality {
  readonly id: string;
}

const columns: readonly Column<VersionRow>[] = [
  { id: "judge", label: "Judge", isFixed: true, width: 200, cell: formatJudge },
  timeColumn("lastAt", "Last used", { orderBy: undefined, width: 150 }),
  { id: "annotated", label: "Annotated", isNumber: true, cell: (judge) => count(annotated(judge)) },
  { id: "kappa", label: "Kappa", isNumber: true, cell: ({ kappa }) => kappaText(kappa) },
  { id: "corrected", label: "Corrected pass rate", isNumber: true, cell: (judge) => rate(judge.correctedPassRate) },
];

export function CalibrationSection({ definitionId }: { readonly definitionId: string }) {
  const { data, error, refetch } = useQuery(read(getCalibration(definitionId)));
  const [isFilling, fill] = useDisclosure();
  const { judge, versions, next } = data?.data ?? {};
  return (
    <Section
      title="Agreement with people"
      description="Measured on traces that people reviewed for this evaluator, with 95 % intervals"
      actions={
        <ActionButton
          operation="POST /v0/definitions/{id}/calibration/queue"
          variant="default"
          disabled={next === undefined || next.length === 0}
          onClick={fill.open}
        >
          Send traces to review
        </ActionButton>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md">
          {data === undefined && <Skeleton height={60} />}
          {judge != null && <JudgeFacts judge={judge} />}
          {judge === null && (
            <Text size="sm" c="dimmed">
              Not measured yet: people have not reviewed any trace for this evaluator.
            </Text>
          )}
          {versions !== undefined && versions.length > 1 && (
            <DataTable
              label="Versions of the judge"
              columns={columns}
              rows={versions.map((each, at) => ({ ...each, id: String(at) }))}
              skeletonRows={2}
            />
          )}
        </Stack>
      )}
      {isFilling && <FillQueueForm definitionId={definitionId} onClose={fill.close} />}
    </Section>
  );
}

function JudgeFacts({ judge }: { readonly judge: JudgeQuality }) {
  const { summary, sensitivity, specificity, kappa, judgedPassRate, correctedPassRate, confusion, reliable } = judge;
  const { weightedKappa, correlation } = judge;
  return (
    <>
      <Text size="sm" {...(reliable === false && { c: "var(--ems-bad)" })}>
        {summary}
      </Text>
      <Group gap="xl" align="flex-start">
        <Facts
          rows={[
            ["Judged pass rate", rate(judgedPassRate)],
            ["Corrected pass rate", rate(correctedPassRate)],
            ["Sensitivity", rate(sensitivity)],
            ["Specificity", rate(specificity)],
            ["Kappa", kappaText(kappa)],
            weightedKappa != null && ["Weighted kappa of scores", kappaText(weightedKappa)],
            correlation != null && ["Correlation of scores", kappaText(correlation)],
            confusion != null && ["Passed by both", count(confusion.bothPass)],
            confusion != null && ["Passed by the judge only", count(confusion.onlyJudgePasses)],
            confusion != null && ["Passed by people only", count(confusion.onlyPeoplePass)],
            confusion != null && ["Failed by both", count(confusion.bothFail)],
          ]}
        />
      </Group>
    </>
  );
}

const rate = (estimate: Estimate) =>
  estimate == null ? missing : <Rate rate={estimate.value} low={estimate.low} high={estimate.high} />;

function kappaText(estimate: Estimate): string {
  if (estimate == null || estimate.value === null) return missing;
  const interval =
    estimate.low === null || estimate.high === null
      ? ""
      : ` (${estimate.low.toFixed(2)} to ${estimate.high.toFixed(2)})`;
  return `${estimate.value.toFixed(2)}${interval}`;
}

function annotated({ confusion }: JudgeQuality): number {
  if (confusion == null) return 0;
  const { bothPass, bothFail, onlyJudgePasses, onlyPeoplePass } = confusion;
  return bothPass + bothFail + onlyJudgePasses + onlyPeoplePass;
}

function formatJudge({ definitionVersion, model }: VersionRow): string {
  if (definitionVersion === null && model === null) return "Judged elsewhere";
  const version = definitionVersion === null ? "" : `version ${definitionVersion}`;
  return [version, model ?? ""].filter((part) => part !== "").join(", ");
}
