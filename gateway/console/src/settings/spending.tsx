// Shows spending in the current day and month: certain, estimated and uncertain, and how much of each budget is used.

import { Group, Progress, Text } from "@mantine/core";
import { count, dollars, percent } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import classes from "./settings.module.css";
import type { EvaluationSettings } from "./settings-requests.ts";

const periods = ["day", "month"] as const;
const periodNames = { day: "Today", month: "This month" } as const;

export function Spending({ settings }: { readonly settings: EvaluationSettings }) {
  return (
    <Section title="Spending" description={spendingHelp(settings.spent?.uncertainShare ?? 1)}>
      <div className={classes.budgets}>
        {periods.map((period) => (
          <Period key={period} name={periodNames[period]} settings={settings} period={period} />
        ))}
      </div>
    </Section>
  );
}

interface PeriodProps {
  readonly name: string;
  readonly period: (typeof periods)[number];
  readonly settings: EvaluationSettings;
}

/** Returns the help text that explains estimated and uncertain spending. */
function spendingHelp(share: number): string {
  const counted = share === 1 ? "in full" : `at ${percent(share, 0)} (BUDGET_UNCERTAIN_SHARE)`;
  return `Finished model calls. Estimated: the provider reported no usable usage, so tokens are estimated from the texts. Uncertain: calls that were not answered, at their maximum cost; the provider may or may not have billed them. Uncertain spending counts toward budgets ${counted}.`;
}

function Period({ name, period, settings }: PeriodProps) {
  const spent = settings.spent?.[period];
  const budget = settings.budgets?.[period];
  const share = settings.spent?.uncertainShare ?? 1;
  return (
    <section className={classes.period} aria-label={name}>
      <Group justify="space-between">
        <Text fw={500}>{name}</Text>
        <Text size="xs" c="dimmed">
          until <Time value={spent?.endsAt} />
        </Text>
      </Group>
      <Used
        label="Money"
        certain={spent?.money ?? 0}
        uncertain={spent?.uncertainMoney ?? 0}
        estimated={spent?.estimatedMoney ?? 0}
        share={share}
        budget={budget?.money}
        text={dollars}
      />
      <Used
        label="Tokens"
        certain={spent?.tokens ?? 0}
        uncertain={spent?.uncertainTokens ?? 0}
        estimated={spent?.estimatedTokens ?? 0}
        share={share}
        budget={budget?.tokens}
        text={count}
      />
    </section>
  );
}

interface UsedProps {
  readonly label: string;
  readonly certain: number;
  readonly uncertain: number;
  /** Part of the certain spending that is estimated. */
  readonly estimated: number;
  /** Share of the uncertain spending that counts toward the budget, from 0 to 1. */
  readonly share: number;
  readonly budget: number | null | undefined;
  readonly text: (value: number) => string;
}

function Used({ label, certain, uncertain, estimated, share, budget, text }: UsedProps) {
  const spent = budget == null ? certain : certain + share * uncertain;
  const used = budget == null ? 0 : budget === 0 ? 1 : Math.min(1, spent / budget);
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{label}</Text>
        <Text size="sm" className={classes.number}>
          {budget == null ? `${text(spent)}, no budget` : `${text(spent)} of ${text(budget)} (${percent(used, 0)})`}
        </Text>
      </Group>
      {uncertain + estimated > 0 && (
        <Text size="xs" c="dimmed">
          Certain: {text(certain)}
          {estimated > 0 && ` (estimated: ${text(estimated)})`}
          {uncertain > 0 && `. Uncertain: ${text(uncertain)}`}
        </Text>
      )}
      {budget != null && (
        <Progress
          value={100 * used}
          aria-label={`${label} spent`}
          color={used >= 1 ? "var(--ems-bad)" : "var(--mantine-primary-color-filled)"}
        />
      )}
    </div>
  );
}
