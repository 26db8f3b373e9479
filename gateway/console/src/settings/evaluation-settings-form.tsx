// Who judges, how often, and what that may cost.

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
        placeholder="The default connection, else the oldest"
        clearable
        clearButtonProps={{ "aria-label": "No judge of its own" }}
        data={judges}
        {...edit.input("connection")}
      />
      <Group grow align="flex-start">
        <Select
          label="Votes of a judge"
          allowDeselect={false}
          data={voteCounts.map(String)}
          value={String(draft.votes)}
          error={edit.errors.votes}
          onChange={(value) => set({ votes: voteCounts.find((each) => String(each) === value) ?? 1 })}
        />
        <NumberInput label="Live traffic judged, %" min={0} max={100} {...edit.input("sampled")} />
        <NumberInput label="Rely on a judge from kappa" min={0} max={1} step={0.05} {...edit.input("kappaFloor")} />
        <NumberInput label="Wait for a trace, minutes" min={0.1} {...edit.input("minutes")} />
      </Group>
      <Group grow align="flex-start">
        <NumberInput {...money} label="Budget of a day" {...edit.input("dayMoney")} />
        <NumberInput {...tokens} label="Tokens of a day" {...edit.input("dayTokens")} />
      </Group>
      <Group grow align="flex-start">
        <NumberInput {...money} label="Budget of a month" {...edit.input("monthMoney")} />
        <NumberInput {...tokens} label="Tokens of a month" {...edit.input("monthTokens")} />
      </Group>
    </FormModal>
  );
}
