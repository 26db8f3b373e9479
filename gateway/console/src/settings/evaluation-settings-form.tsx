// Who judges, how often, and what that may cost.

import { Group, NumberInput, Select } from "@mantine/core";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { type EvaluationSettings, updateEvaluationSettings } from "./settings-requests.ts";

export const defaultTimeoutMs = 15 * 60_000;
const voteCounts = [1, 3, 5, 7, 9] as const;

interface EvaluationSettingsFormProps {
  readonly loaded: Loaded<{ readonly data: EvaluationSettings }>;
  readonly connections: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

type Amount = number | "";
const amount = (value: string | number): Amount => (typeof value === "number" ? value : "");

const draftOf = ({ budgets, ...settings }: EvaluationSettings) => ({
  connection: settings.defaultConnectionId,
  votes: voteCounts.find((each) => each === settings.votes) ?? 1,
  sampled: 100 * (settings.monitoring?.sampleRate ?? 0),
  kappaFloor: settings.kappaFloor,
  minutes: (settings.testTimeoutMs ?? defaultTimeoutMs) / 60_000,
  dayMoney: (budgets?.day?.money ?? "") as Amount,
  dayTokens: (budgets?.day?.tokens ?? "") as Amount,
  monthMoney: (budgets?.month?.money ?? "") as Amount,
  monthTokens: (budgets?.month?.tokens ?? "") as Amount,
});
type SettingsDraft = ReturnType<typeof draftOf>;
const field = fieldFor<SettingsDraft>();

const budgetFor = (money: Amount, tokens: Amount) =>
  money === "" && tokens === "" ? null : { ...(money !== "" && { money }), ...(tokens !== "" && { tokens }) };

function requestFor(draft: SettingsDraft) {
  const day = budgetFor(draft.dayMoney, draft.dayTokens);
  const month = budgetFor(draft.monthMoney, draft.monthTokens);
  return updateEvaluationSettings({
    votes: draft.votes,
    monitoring: { sampleRate: draft.sampled / 100 },
    testTimeoutMs: Math.round(draft.minutes * 60_000),
    kappaFloor: draft.kappaFloor,
    ...(draft.connection !== null && { defaultConnectionId: draft.connection }),
    ...((day !== null || month !== null) && {
      budgets: { ...(day !== null && { day }), ...(month !== null && { month }) },
    }),
  });
}

export function EvaluationSettingsForm({ loaded, connections, onClose }: EvaluationSettingsFormProps) {
  const judges = connections.map(({ id, name }) => ({ value: id, label: name }));
  const edit = useEdit({
    loaded,
    draftOf: ({ data }) => draftOf(data),
    fields: [
      field("connection", "Judge", chosenFrom(judges)),
      field("votes", "Votes of a judge"),
      field("sampled", "Live traffic judged, %"),
      field("kappaFloor", "Rely on a judge from kappa"),
      field("minutes", "Wait for a trace, minutes"),
      field("dayMoney", "Budget of a day"),
      field("dayTokens", "Tokens of a day"),
      field("monthMoney", "Budget of a month"),
      field("monthTokens", "Tokens of a month"),
    ],
    makeRequest: requestFor,
    refreshes: ["/v0/evaluation-settings"],
    onSaved: onClose,
  });
  const { draft, set, isPending, error } = edit;
  const issues = issuesByField(error);
  const money = { placeholder: "No limit", min: 0, prefix: "$" };
  const tokens = { placeholder: "No limit", min: 0, thousandSeparator: "," };
  return (
    <FormModal
      title="Evaluation settings"
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={edit.save}
      isSaving={isPending}
      error={error}
      edit={edit.view}
    >
      <Select
        label="Judge"
        placeholder="The default connection, else the oldest"
        clearable
        clearButtonProps={{ "aria-label": "No judge of its own" }}
        data={judges}
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
