import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { useMemo } from "react";
import { read, readList } from "../api/query.ts";
import type { Schemas } from "../api/request.ts";
import { send } from "../api/send.ts";
import { RetainedSince } from "../retention/retained-since.tsx";
import { ExportButton } from "../ui/csv/export-button.tsx";
import { plural } from "../ui/format.ts";
import { dateFormat } from "../ui/locale.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { Pager } from "../ui/table/pager.tsx";
import type { DayRange } from "../url/day-range.ts";
import { Builder } from "./builder.tsx";
import { toCsv } from "./csv.ts";
import { FilterWords } from "./filter-chip.tsx";
import { queryReport, type ReportQuery } from "./query.ts";
import { QueryButton } from "./query-button.tsx";
import { ChartChoice, ReportCharts } from "./report-chart.tsx";
import { listColumns } from "./report-requests.ts";
import { buildQuery, type ChartKind, changed, pageMax, parseFilter, type ReportSearch } from "./report-search.ts";
import { ReportTable } from "./report-table.tsx";
import { groupName, measureName, type Row, resultColumns, type SourceColumn, sourceNames } from "./report-words.ts";
import classes from "./reports.module.css";
import { Shortcuts } from "./shortcuts.tsx";
import { UnpricedSteps } from "./unpriced-steps.tsx";

const route = getRouteApi("/signed-in/reports");
/** Data sources whose rows are deleted after a retention period. */
const retained: readonly string[] = ["test", "eval"];
const noColumns: SourceColumn[] = [];

export default function ReportPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const goTo = (next: ReportSearch) => void navigate({ search: next });
  const query = buildQuery(search);
  const request = queryReport(query);
  const listed = useQuery(read(listColumns(query.datasource)));
  const { data, error, isPlaceholderData, refetch } = useQuery(readList(request));
  const sources = listed.data?.data ?? noColumns;
  const report = data?.data;
  const columns = useMemo(
    () => (report === undefined ? [] : resultColumns(report.columns, buildQuery(search), sources)),
    [report, search, sources],
  );
  const kinds = report?.visualization.compatibleCharts ?? [];
  const chosen = search.chart !== undefined && kinds.includes(search.chart);
  const kind = (chosen ? search.chart : report?.visualization.recommendedChart) as ChartKind | undefined;
  const rows = report?.results;
  return (
    <Page
      title="Reports"
      description={
        <span className={classes.screen}>
          Query test results
          {retained.includes(query.datasource) && <RetainedSince of="reports" range={getDays(query)} />}
        </span>
      }
      requests={[request]}
      actions={
        <>
          <ExportButton
            fileName={`${query.datasource}-report.csv`}
            readPage={(skip) => readPage(query, skip, sources)}
          />
          <QueryButton query={query} />
          <Button variant="default" leftSection={<Printer size={14} />} onClick={() => window.print()}>
            Print
          </Button>
        </>
      }
    >
      <div className={classes.screen}>
        <Shortcuts />
      </div>
      <Builder search={search} columns={sources} onChange={goTo} />
      <Printed search={search} columns={sources} total={data?.pagination.total ?? 0} />
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState title="Nothing matches" request={request}>
          Remove a filter or pick another data source.
        </EmptyState>
      ) : (
        <Stack gap="sm">
          {kinds.length > 1 && kind !== undefined && (
            <Group className={classes.screen}>
              <ChartChoice kinds={kinds} value={kind} onChange={(chart) => goTo({ ...search, chart })} />
            </Group>
          )}
          {report !== undefined && rows !== undefined && kind !== undefined && (
            <ReportCharts
              kind={kind}
              rows={rows}
              columns={columns}
              mapping={report.visualization.fieldMapping}
              timeZone={query.timezone}
            />
          )}
          <UnpricedSteps query={query} />
          <Unreliable definitions={report?.unreliableDefinitions ?? []} />
          <ReportTable
            columns={columns}
            rows={rows}
            search={search}
            timeZone={query.timezone}
            isStale={isPlaceholderData}
            onOrder={(order) => goTo(changed(search, { order }))}
          />
          <div className={classes.screen}>
            <Pager
              search={search}
              total={data?.pagination.total ?? 0}
              onChange={(change) => goTo({ ...search, ...change })}
            />
          </div>
        </Stack>
      )}
    </Page>
  );
}

/** Returns the date range that the report's filters select. */
function getDays({ filters }: ReportQuery): DayRange {
  const bounds: readonly string[] = ["gt", "gte", "between", "eq"];
  const lower = filters?.find(({ column, operator }) => column === "createdAt" && bounds.includes(operator));
  const [from] = lower?.value ?? [];
  return typeof from === "string" ? { from: from.slice(0, 10) } : {};
}

async function readPage(query: ReportQuery, skip: number, sources: readonly SourceColumn[]) {
  const { data, pagination } = await send(queryReport({ ...query, skip, limit: pageMax }));
  const csv = (rows: readonly Row[]) => toCsv(resultColumns(data.columns, query, sources), rows, query.timezone);
  return { rows: data.results, total: pagination.total, toCsv: csv };
}

/** Warns that rates are unreliable because their judges disagree with reviewers. */
function Unreliable({ definitions }: { readonly definitions: Schemas["Report"]["unreliableDefinitions"] }) {
  if (definitions.length === 0) return null;
  const names = definitions.map(({ name, kappa }) => `${name} (kappa ${kappa.toFixed(2)})`);
  return (
    <Text size="sm" c="var(--ems-warning)">
      {`Judges disagree with reviewers: ${names.join(", ")}.`}
    </Text>
  );
}

interface PrintedProps {
  readonly search: ReportSearch;
  readonly columns: readonly SourceColumn[];
  readonly total: number;
}

/** Shows the query in words, when the page is printed. */
function Printed({ search, columns, total }: PrintedProps) {
  const { datasource, groupBy, measurements, filters, timezone, limit, skip } = buildQuery(search);
  const groups = (groupBy ?? []).map((group) => groupName(group, columns));
  const measures = (measurements ?? []).map((measure) => measureName(measure, columns));
  const parts = (search.filter ?? []).flatMap((part) => parseFilter(part) ?? []);
  const first = (skip ?? 0) + 1;
  const last = Math.min(total, (skip ?? 0) + (limit ?? 0));
  return (
    <div className={classes.printed}>
      <strong>
        {[sourceNames[datasource], ...(groups.length > 0 ? [groups.join(", ")] : [])].join(" · ")}
        {measures.length > 0 && `: ${measures.join(", ")}`}
      </strong>
      {filters?.length === 0 ? (
        <p>All {sourceNames[datasource].toLowerCase()}</p>
      ) : (
        <ul>
          {parts.map((filter) => (
            <FilterWords key={JSON.stringify(filter)} source={datasource} columns={columns} filter={filter} />
          ))}
        </ul>
      )}
      <p>
        {dateFormat({ dateStyle: "long", timeStyle: "short" }).format()} · time zone {timezone} ·{" "}
        {total > last || first > 1 ? `${first} to ${last} of ${plural(total, "row")}` : plural(total, "row")}
        {search.archived === false && " · archived excluded"}
      </p>
    </div>
  );
}
