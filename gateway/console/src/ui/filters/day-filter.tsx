// A filter by days, with usual ranges.

import { Button, Group, Popover, Stack, TextInput } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import { type DayRange, lastDays } from "../../url/day-range.ts";
import { day } from "../../url/search.ts";
import { localDate } from "../format.ts";
import classes from "./filters.module.css";

interface DayFilterProps {
  readonly value: DayRange;
  readonly onChange: (value: DayRange) => void;
}

const usual = [1, 7, 30, 90];

export function DayFilter({ value: { from, to }, onChange }: DayFilterProps) {
  const isActive = from !== undefined || to !== undefined;
  const name = (date: string | undefined) => (date === undefined ? "…" : localDate(`${date}T12:00:00`));
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
            <span className={classes.chosen}>
              {name(from)} – {name(to)}
            </span>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Days">
        <Stack gap="xs">
          <Group gap={6}>
            {usual.map((days) => (
              <Button key={days} variant="default" size="compact-xs" onClick={() => onChange(lastDays(days))}>
                {days === 1 ? "Today" : `${days} days`}
              </Button>
            ))}
          </Group>
          <TextInput
            size="xs"
            type="date"
            label="From"
            value={from ?? ""}
            onChange={(event) => onChange({ from: day(event.currentTarget.value), to })}
          />
          <TextInput
            size="xs"
            type="date"
            label="To"
            value={to ?? ""}
            onChange={(event) => onChange({ from, to: day(event.currentTarget.value) })}
          />
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
