import { ActionIcon, Group, NativeSelect, Text } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { defaultLimit, type ListSearch, pageSizes } from "../../url/list-search.ts";
import { count } from "../format.ts";

interface PagerProps {
  readonly search: ListSearch;
  readonly total: number;
  readonly onChange: (change: Pick<ListSearch, "skip" | "limit">) => void;
}

export function Pager({ search, total, onChange }: PagerProps) {
  const { skip = 0, limit = defaultLimit } = search;
  const sizes = [...new Set<number>([...pageSizes, limit])].sort((a, b) => a - b);
  const goTo = (next: number) => onChange({ skip: next <= 0 ? undefined : next });
  return (
    <Group justify="space-between" gap="sm" role="navigation" aria-label="Pages of the list">
      <Group gap={6}>
        <Text size="xs" c="dimmed" id="rows-per-page">
          Rows
        </Text>
        <NativeSelect
          size="xs"
          aria-label="Rows per page"
          data={sizes.map(String)}
          value={String(limit)}
          onChange={(event) => {
            const chosen = Number(event.currentTarget.value);
            onChange({ limit: chosen === defaultLimit ? undefined : chosen, skip: undefined });
          }}
        />
      </Group>
      <Group gap={6}>
        <Text size="xs" c="dimmed" aria-live="polite">
          {`${total === 0 ? "0" : `${count(Math.min(skip + 1, total))}–${count(Math.min(skip + limit, total))}`} of ${count(total)}`}
        </Text>
        <ActionIcon
          variant="default"
          aria-label="Previous page"
          disabled={skip === 0}
          onClick={() => goTo(skip - limit)}
        >
          <ChevronLeft size={14} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label="Next page"
          disabled={skip + limit >= total}
          onClick={() => goTo(skip + limit)}
        >
          <ChevronRight size={14} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
