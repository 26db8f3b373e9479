// Form for a report's query: data source, filters, groups, measures and order.

import { MultiSelect, NativeSelect, Select, Switch } from "@mantine/core";
import { viewerZone } from "../ui/locale.ts";
import { FilterChip } from "./filter-chip.tsx";
import {
  buildQuery,
  changed,
  type Datasource,
  datasources,
  filterPart,
  measureId,
  parseFilter,
  parseGroup,
  parseMeasure,
  type ReportSearch,
} from "./report-search.ts";
import { getColumnName, groupName, measureName, type SourceColumn, sourceNames } from "./report-words.ts";
import classes from "./reports.module.css";

interface BuilderProps {
  readonly search: ReportSearch;
  readonly columns: readonly SourceColumn[];
  readonly onChange: (search: ReportSearch) => void;
}

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
const groupsMax = 3;
const measuresMax = 50;
const none: string[] = [];

/** Props that keep the text cursor from adding an empty line to the box. */
const selected = { size: "xs", classNames: { inputField: classes.cursor } };

export function Builder({ search, columns, onChange }: BuilderProps) {
  const source = search.source ?? "test";
  const set = (change: Partial<ReportSearch>) => onChange(changed(search, change));
  const filters = search.filter ?? none;
  const groupable = columns.filter(({ isFilterOnly }) => !isFilterOnly);
  const nonEmpty = (parts: string[]) => (parts.length === 0 ? undefined : parts);
  return (
    <section className={classes.builder} aria-label="Query">
      <NativeSelect
        size="xs"
        label="Data source"
        data={datasources.map((value) => ({ value, label: sourceNames[value] }))}
        value={source}
        onChange={(event) => {
          const next = event.currentTarget.value as Datasource;
          onChange({
            ...changed({ source: next }, {}),
            timezone: search.timezone,
            limit: search.limit,
            measure: ["count"],
          });
        }}
      />
      <MultiSelect
        {...selected}
        label="Group by"
        placeholder={search.group === undefined ? "None" : ""}
        searchable
        hidePickedOptions
        maxValues={groupsMax}
        data={groupChoices(groupable, search.group ?? none)}
        value={search.group ?? none}
        onChange={(parts) => set({ group: nonEmpty(parts) })}
      />
      <MultiSelect
        {...selected}
        label="Measures"
        placeholder={search.measure === undefined ? (search.group === undefined ? "None: list rows" : "Count") : ""}
        searchable
        hidePickedOptions
        maxValues={measuresMax}
        data={measureChoices(columns)}
        value={search.measure ?? none}
        onChange={(parts) => set({ measure: nonEmpty(parts) })}
      />
      <MultiSelect
        {...selected}
        label="Order"
        placeholder={search.order === undefined ? "Default" : ""}
        searchable
        hidePickedOptions
        data={orderChoices(search, groupable)}
        value={search.order ?? none}
        onChange={(parts) => set({ order: nonEmpty(parts) })}
      />
      <Select
        size="xs"
        label="Time zone"
        searchable
        limit={60}
        allowDeselect={false}
        data={zones.includes(search.timezone ?? "UTC") ? zones : [search.timezone ?? "UTC", ...zones]}
        value={search.timezone ?? viewerZone}
        onChange={(timezone) => set({ timezone: timezone ?? viewerZone })}
      />
      <Switch
        size="xs"
        className={classes.switch}
        label="Include archived"
        checked={search.archived !== false}
        onChange={(event) => set({ archived: event.currentTarget.checked ? undefined : false })}
      />
      <fieldset className={classes.filters} aria-label="Filters">
        {filters.map((part, index) => {
          const filter = parseFilter(part);
          return (
            filter !== undefined && (
              <FilterChip
                key={part}
                source={source}
                columns={columns}
                filter={filter}
                onChange={(next) =>
                  set({
                    filter: nonEmpty(filters.toSpliced(index, 1, ...(next === undefined ? [] : [filterPart(next)]))),
                  })
                }
              />
            )
          );
        })}
        <FilterChip
          source={source}
          columns={columns}
          onChange={(next) => next !== undefined && set({ filter: [...filters, filterPart(next)] })}
        />
      </fieldset>
    </section>
  );
}

/** Returns the choices for groups. Each column can be chosen only once, so a date column has a single bucket size. */
function groupChoices(columns: readonly SourceColumn[], chosen: readonly string[]) {
  const used = new Set(chosen.map((part) => parseGroup(part)?.column));
  const parts = columns.flatMap(({ id, type, dateTruncs }) =>
    type === "date" ? dateTruncs.map((trunc) => `date:${id}:${trunc}`) : [`${type}:${id}`],
  );
  return [...new Set([...parts, ...chosen])].map((value) => {
    const group = parseGroup(value);
    return {
      value,
      label: group === undefined ? value : groupName(group, columns),
      disabled: used.has(group?.column ?? "") && !chosen.includes(value),
    };
  });
}

function measureChoices(columns: readonly SourceColumn[]) {
  const parts = columns.flatMap(({ id, measurements }) =>
    measurements.filter((type) => type !== "count").map((type) => `${type}:${id}`),
  );
  return ["count", ...parts].flatMap((value) => {
    const measure = parseMeasure(value);
    return measure === undefined ? [] : [{ value, label: measureName(measure, columns) }];
  });
}

function orderChoices(search: ReportSearch, columns: readonly SourceColumn[]) {
  const { groupBy, measurements } = buildQuery(search);
  const groups = (groupBy ?? []).map(({ column }) => ({ id: column, name: getColumnName(columns, column) }));
  const measured =
    measurements?.length === 0 && groups.length > 0 ? [{ type: "count" as const }] : (measurements ?? []);
  const measures = measured
    .filter(({ type }) => type !== "interval")
    .map((measure) => ({ id: measureId(measure), name: measureName(measure, columns) }));
  const found = groups.length + measured.length === 0 ? columns : [...groups, ...measures];
  return found.flatMap(({ id, name }) => [
    { value: `${id}:asc`, label: `${name}, ascending` },
    { value: `${id}:desc`, label: `${name}, descending` },
  ]);
}
