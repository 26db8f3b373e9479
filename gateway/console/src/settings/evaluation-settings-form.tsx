// Form for the settings of judges, sampling and budgets.

import { Group, NumberInput, Select } from "@mantine/core";
import type { Loaded } from "../api/conditional.ts";
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

const toDraft = ({ budgets, ...settings }: EvaluationSettings) => ({
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
type SettingsDraft = ReturnType<typeof toDraft>;
const field = fieldFor<SettingsDraft>();

const names = {
  defaultConnectionId: "connection",
  "monitoring.sampleRate": "sampled",
  testTimeoutMs: "minutes",
  "budgets.day.money": "dayMoney",
  "budgets.day.tokens": "dayTokens",
  "budgets.month.money": "monthMoney",
  "budgets.month.tokens": "monthTokens",
};

const budgetFor = (money: Amount, tokens: Amount) =>
  typeof money === "string" && typeof tokens === "string"
    ? null
    : { ...(typeof money === "number" && { money }), ...(typeof tokens === "number" && { tokens }) };

function requestFor(draft: SettingsDraft) {
  const day = budgetFor(draft.dayMoney, draft.dayTokens);
  const month = budgetFor(draft.monthMoney, draft.monthTokens);
  return updateEvaluationSettings({
    votes: draft.votes,
    monitoring: { sampleRate: Number(draft.sampled) / 100 },
    testTimeoutMs: Math.round(Number(draft.minutes) * 60_000),
    kappaFloor: Number(draft.kappaFloor),
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
    toDraft: ({ data }) => toDraft(data),
    fields: [
      field("connection", "Judge", chosenFrom(judges)),
      field("votes", "Votes per judgment"),
      field("sampled", "Share of production traces judged, %"),
      field("kappaFloor", "Trust judges with kappa ≥"),
      field("minutes", "Trace timeout, minutes"),
      field("dayMoney", "Daily budget"),
      field("dayTokens", "Daily tokens"),
      field("monthMoney", "Monthly budget"),
      field("monthTokens", "Monthly tokens"),
    ],
    makeRequest: requestFor,
    names,
    refreshes: ["/v0/evaluation-settings"],
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const money = { placeholder: "No limit", min: 0, prefix: "$" };
  const tokens = { placeholder: "No limit", min: 0, thousandSeparator: "," };
  return (
    <FormModal title="Evaluation settings" size="lg" {...edit.modal} onClose={onClose}>
      <Select
        label="Judge"
        placeholder="Default connection, or the oldest"
        clearable
        clearButtonProps={{ "aria-label": "Clear judge" }}
        data={judges}
        {...edit.input("connection")}
      />
      <Group grow align="flex-start">
        <Select
          label="Votes per judgment"
          allowDeselect={false}
          data={voteCounts.map(String)}
          value={String(draft.votes)}
          error={edit.errors.votes}
          onChange={(value) => set({ votes: voteCounts.find((each) => String(each) === value) ?? 1 })}
        />
        <NumberInput label="Share of production traces judged, %" min={0} max={100} {...edit.input("sampled")} />
        <NumberInput label="Trust judges with kappa ≥" min={0} max={1} step={0.05} {...edit.input("kappaFloor")} />
        <NumberInput label="Trace timeout, minutes" min={0.1} {...edit.input("minutes")} />
      </Group>
      <Group grow align="flex-start">
        <NumberInput {...money} label="Daily budget" {...edit.input("dayMoney")} />
        <NumberInput {...tokens} label="Daily tokens" {...edit.input("dayTokens")} />
      </Group>
      <Group grow align="flex-start">
        <NumberInput {...money} label="Monthly budget" {...edit.input("monthMoney")} />
        <NumberInput {...tokens} label="Monthly tokens" {...edit.input("monthTokens")} />
      </Group>
    </FormModal>
  );
}
