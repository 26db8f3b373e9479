import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { UnpricedLink } from "../model-prices/unpriced-link.tsx";
import { queryReport, type ReportQuery, readNumber } from "./query.ts";

const column = "unpricedSteps";
/** Data sources with costs of the application's model calls. */
const countsUnpriced: readonly string[] = ["test", "trace", "step", "session"];

/** Returns the query for the number of unpriced steps of the report's tests; undefined if it has no cost. */
export function countUnpriced({ datasource, filters, measurements, timezone, includeArchived }: ReportQuery) {
  const hasCost = measurements?.some((measurement) => measurement.column === "cost") === true;
  if (!countsUnpriced.includes(datasource) || !hasCost) return undefined;
  return queryReport({
    datasource,
    timezone,
    filters,
    ...(includeArchived !== undefined && { includeArchived }),
    measurements: [{ type: "sum", column }],
  });
}

/** Warns that the costs of a report are too low, because some model calls have no price. */
export function UnpricedSteps({ query }: { readonly query: ReportQuery }) {
  const request = countUnpriced(query);
  const { data } = useQuery({ ...read(request ?? queryReport(query)), enabled: request !== undefined });
  const [row] = request === undefined ? [] : (data?.data.results ?? []);
  const steps = row === undefined ? 0 : (readNumber(row, `sum_${column}`) ?? 0);
  if (steps === 0) return null;
  return (
    <Group gap="4px 12px">
      <Text size="sm" c="var(--ems-warning)">
        Costs lack steps without a price.
      </Text>
      <Text size="sm" component="span">
        <UnpricedLink steps={steps} models={[]} />
      </Text>
    </Group>
  );
}
