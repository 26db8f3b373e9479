// Filter for a range of days, with common ranges and buttons for the previous and next range.

import { ActionIcon, Button, Group, Popover, Stack } from "@mantine/core";
import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import { type DayRange, lastDays, neighbor, today } from "../../url/day-range.ts";
import { DateField } from "../date-field.tsx";
import { localDate, localRange } from "../format.ts";
import { useFilterField } from "./filter-fields.ts";
import classes from "./filters.module.css";

interface DayFilterProps {
  readonly value: DayRange;
  readonly onChange: (value: DayRange) => void;
}

const usual = [1, 7, 30, 90].map((days) => ({ value: String(days), label: days === 1 ? "Today" : `${days} days` }));
const chosen: string[] = [];

export function DayFilter({ value: { from, to }, onChange }: DayFilterProps) {
  const choose = (days: string) => onChange(lastDays(Number(days)));
  useFilterField({ label: "Days", options: usual, chosen, choose });
  const range = from === undefined || to === undefined ? undefined : { from, to };
  return (
    <Group gap={4} wrap="nowrap" className={classes.days}>
      {range !== undefined && (
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Previous days"
          onClick={() => onChange(neighbor(range, -1))}
        >
          <ChevronLeft size={14} />
        </ActionIcon>
      )}
      <DayButton from={from} to={to} onChange={onChange} />
      {range !== undefined && (
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Next days"
          disabled={range.to >= today()}
          onClick={() => onChange(neighbor(range, 1))}
        >
          <ChevronRight size={14} />
        </ActionIcon>
      )}
    </Group>
  );
}

function DayButton({ from, to, onChange }: DayRange & Pick<DayFilterProps, "onChange">) {
  const isActive = from !== undefined || to !== undefined;
  const noon = (date: string) => `${date}T12:00:00`;
  const name = (date: string | undefined) => (date === undefined ? "…" : localDate(noon(date)));
  const range =
    from !== undefined && to !== undefined && from <= to
      ? localRange(noon(from), noon(to))
      : `${name(from)} – ${name(to)}`;
  return (
    <Popover trapFocus returnFocus position="bottom-start">
      <Popover.Target>
        <Button
          variant="default"
          className={classes.filter}
          data-active={isActive || undefined}
          rightSection={<ChevronDown size={12} />}
        >
          Days
          {isActive && (
            <span key={range} className={classes.chosen}>
              {range}
            </span>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Days">
        <Stack gap="xs">
          <Group gap={6}>
            {usual.map(({ value, label }) => (
              <Button key={value} variant="default" size="compact-xs" onClick={() => onChange(lastDays(Number(value)))}>
                {label}
              </Button>
            ))}
          </Group>
          <DateField size="xs" label="From" value={from} onChange={(date) => onChange({ from: date, to })} />
          <DateField size="xs" label="To" value={to} onChange={(date) => onChange({ from, to: date })} />
          {isActive && (
            <Button variant="subtle" size="compact-xs" onClick={() => onChange({ from: undefined, to: undefined })}>
              Clear
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
