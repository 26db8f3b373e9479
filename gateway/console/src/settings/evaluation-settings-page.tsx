import { Group, NumberInput, Select, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import type { Schemas } from "../api/request.ts";
import { ActionButton } from "../ui/action.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { count, duration, percent, plural } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import {
  type EvaluationSettings,
  getEvaluationSettings,
  listConnections,
  updateEvaluationSettings,
} from "./settings-requests.ts";
import { Spending } from "./spending.tsx";

const refreshes = ["/v0/evaluation-settings"] as const;
const allConnections = listConnections({ limit: 100 });
const defaultTimeoutMs = 15 * 60_000;
const voteCounts = [1, 3, 5, 7, 9] as const;

export default function EvaluationSettingsPage() {
  return (
    <Detail request={getEvaluationSettings()} title="Evaluation">
      {({ data }) => <SettingsDetail settings={data} />}
    </Detail>
  );
}

function SettingsDetail({ settings }: { readonly settings: EvaluationSettings }) {
  const [isEditing, edit] = useDisclosure();
  const connections = useQuery(read(allConnections)).data?.data ?? [];
  const judge = connections.find(({ id }) => id === settings.defaultConnectionId);
  return (
    <Page
      title="Evaluation"
      description="Who judges, how often, and what that may cost"
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
            ["Judge", judge?.name ?? "The default connection, else the oldest"],
            ["Votes of a judge", count(settings.votes)],
            ["Live traffic judged", percent(settings.monitoring?.sampleRate ?? 0)],
            ["A judge is relied on from a kappa of", settings.kappaFloor.toFixed(2)],
            ["A test waits for its trace", duration(settings.testTimeoutMs ?? defaultTimeoutMs)],
          ]}
        />
        <Section
          title="Kept"
          description="Whoever runs this installation decides it, for all applications (RETENTION_DAYS_TRACES and RETENTION_DAYS_RESULTS)"
        >
          <Facts
            rows={[
              ["Traces", <Retained key="traces" period={settings.retention?.traces} />],
              ["Tests and evaluations", <Retained key="results" period={settings.retention?.results} />],
              ["Sums of tests, for reports", "For ever"],
            ]}
          />
        </Section>
        <Spending settings={settings} />
      </Stack>
      {isEditing && <SettingsForm settings={settings} connections={connections} onClose={edit.close} />}
    </Page>
  );
}

function Retained({ period }: { readonly period: Schemas["RetentionPeriod"] | null | undefined }) {
  if (period?.since == null) return "For ever";
  return (
    <>
      {period.days !== null && `${plural(period.days, "day")}, `}
      since <Time value={period.since} />
    </>
  );
}

interface SettingsFormProps {
  readonly settings: EvaluationSettings;
  readonly connections: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

type Amount = number | "";
const amount = (value: string | number): Amount => (typeof value === "number" ? value : "");

function SettingsForm({ settings, connections, onClose }: SettingsFormProps) {
  const { budgets } = settings;
  const [draft, setDraft] = useState(() => ({
    connection: settings.defaultConnectionId,
    votes: voteCounts.find((each) => each === settings.votes) ?? 1,
    sampled: 100 * (settings.monitoring?.sampleRate ?? 0),
    kappaFloor: settings.kappaFloor,
    minutes: (settings.testTimeoutMs ?? defaultTimeoutMs) / 60_000,
    dayMoney: (budgets?.day?.money ?? "") as Amount,
    dayTokens: (budgets?.day?.tokens ?? "") as Amount,
    monthMoney: (budgets?.month?.money ?? "") as Amount,
    monthTokens: (budgets?.month?.tokens ?? "") as Amount,
  }));
  const set = (change: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...change }));
  const { mutate, isPending, error } = useChange(updateEvaluationSettings, { refreshes, onDone: onClose });
  const issues = issuesByField(error);
  const budgetOf = (money: Amount, tokens: Amount) =>
    money === "" && tokens === "" ? null : { ...(money !== "" && { money }), ...(tokens !== "" && { tokens }) };
  const save = () => {
    const day = budgetOf(draft.dayMoney, draft.dayTokens);
    const month = budgetOf(draft.monthMoney, draft.monthTokens);
    mutate({
      votes: draft.votes,
      monitoring: { sampleRate: draft.sampled / 100 },
      testTimeoutMs: Math.round(draft.minutes * 60_000),
      kappaFloor: draft.kappaFloor,
      ...(draft.connection !== null && { defaultConnectionId: draft.connection }),
      ...((day !== null || month !== null) && {
        budgets: { ...(day !== null && { day }), ...(month !== null && { month }) },
      }),
    });
  };
  const money = { placeholder: "No limit", min: 0, prefix: "$" };
  const tokens = { placeholder: "No limit", min: 0, thousandSeparator: "," };
  return (
    <FormModal
      title="Evaluation settings"
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <Select
        label="Judge"
        placeholder="The default connection, else the oldest"
        clearable
        clearButtonProps={{ "aria-label": "No judge of its own" }}
        data={connections.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.connection}
        error={issues.defaultConnectionId}
        onChange={(value) => set({ connection: value })}
      />
      <Group grow align="flex-start">
        <Select
          label="Votes of a judge"
          allowDeselect={false}
          data={voteCounts.map(String)}
          value={String(draft.votes)}
          error={issues.votes}
          onChange={(value) => set({ votes: voteCounts.find((each) => String(each) === value) ?? 1 })}
        />
        <NumberInput
          label="Live traffic judged, %"
          min={0}
          max={100}
          value={draft.sampled}
          error={issues["monitoring.sampleRate"]}
          onChange={(value) => set({ sampled: Number(value) })}
        />
        <NumberInput
          label="Rely on a judge from kappa"
          min={0}
          max={1}
          step={0.05}
          value={draft.kappaFloor}
          error={issues.kappaFloor}
          onChange={(value) => set({ kappaFloor: Number(value) })}
        />
        <NumberInput
          label="Wait for a trace, minutes"
          min={0.1}
          value={draft.minutes}
          error={issues.testTimeoutMs}
          onChange={(value) => set({ minutes: Number(value) })}
        />
      </Group>
      <Group grow align="flex-start">
        <NumberInput
          {...money}
          label="Budget of a day"
          value={draft.dayMoney}
          error={issues["budgets.day.money"]}
          onChange={(value) => set({ dayMoney: amount(value) })}
        />
        <NumberInput
          {...tokens}
          label="Tokens of a day"
          value={draft.dayTokens}
          error={issues["budgets.day.tokens"]}
          onChange={(value) => set({ dayTokens: amount(value) })}
        />
      </Group>
      <Group grow align="flex-start">
        <NumberInput
          {...money}
          label="Budget of a month"
          value={draft.monthMoney}
          error={issues["budgets.month.money"]}
          onChange={(value) => set({ monthMoney: amount(value) })}
        />
        <NumberInput
          {...tokens}
          label="Tokens of a month"
          value={draft.monthTokens}
          error={issues["budgets.month.tokens"]}
          onChange={(value) => set({ monthTokens: amount(value) })}
        />
      </Group>
    </FormModal>
  );
}
