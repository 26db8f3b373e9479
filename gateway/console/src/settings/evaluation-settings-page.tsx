import { Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { read } from "../api/query.ts";
import type { Schemas } from "../api/request.ts";
import { ActionButton } from "../ui/action.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, duration, percent, plural } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { defaultTimeoutMs, EvaluationSettingsForm } from "./evaluation-settings-form.tsx";
import { type EvaluationSettings, getEvaluationSettings, listConnections } from "./settings-requests.ts";
import { Spending } from "./spending.tsx";

const allConnections = listConnections({ limit: 100 });

export default function EvaluationSettingsPage() {
  return (
    <Detail request={getEvaluationSettings()} title="Evaluation">
      {(_, loaded) => <SettingsDetail loaded={loaded} />}
    </Detail>
  );
}

function SettingsDetail({ loaded }: { readonly loaded: Loaded<{ readonly data: EvaluationSettings }> }) {
  const settings = loaded.body.data;
  const [isEditing, edit] = useDisclosure();
  const connections = useQuery(read(allConnections)).data?.data ?? [];
  const judge = connections.find(({ id }) => id === settings.defaultConnectionId);
  return (
    <Page
      title="Evaluation"
      description="Judge, sampling and budgets"
      requests={[getEvaluationSettings()]}
      actions={
        <ActionButton
          operation="PUT /v0/evaluation-settings"
          variant="default"
          leftSection={<Pencil size={14} />}
          onClick={edit.open}
        >
          Edit
        </ActionButton>
      }
    >
      <Stack gap="xl">
        <Facts
          rows={[
            ["Judge", judge?.name ?? "Default connection, or the oldest"],
            ["Votes per judgment", count(settings.votes)],
            ["Share of production traces judged", percent(settings.monitoring?.sampleRate ?? 0)],
            ["Trust judges with", `kappa ≥ ${settings.kappaFloor.toFixed(2)}`],
            ["Trace timeout", duration(settings.testTimeoutMs ?? defaultTimeoutMs)],
          ]}
        />
        <Section
          title="Retention"
          description="Set by the operator for all applications (RETENTION_DAYS_TRACES, RETENTION_DAYS_RESULTS)"
        >
          <Facts
            rows={[
              ["Traces", <Retained key="traces" period={settings.retention?.traces} />],
              ["Tests and evaluations", <Retained key="results" period={settings.retention?.results} />],
              ["Test totals for reports", "No limit"],
            ]}
          />
        </Section>
        <Spending settings={settings} />
      </Stack>
      {isEditing && <EvaluationSettingsForm loaded={loaded} connections={connections} onClose={edit.close} />}
    </Page>
  );
}

function Retained({ period }: { readonly period: Schemas["RetentionPeriod"] | null | undefined }) {
  if (period?.since == null) return "No limit";
  return (
    <>
      {period.days !== null && `${plural(period.days, "day")}, `}
      since <Time value={period.since} />
    </>
  );
}
