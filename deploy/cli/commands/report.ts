// `ems report`: sends POST /v0/reporting/query and prints the results as a table with bars.

import { readFile } from "node:fs/promises";
import { Argument, type Command } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, integerBetween, printResult, repeatable } from "../cli.ts";
import { usage } from "../failure.ts";
import { type QueryColumn, type QueryOptions, readQuery } from "../query.ts";
import { bar, type Column, table } from "../table.ts";

const barCells = 24;

const datasources = [
  "task",
  "test",
  "eval",
  "trace",
  "step",
  "session",
  "human_annotation",
  "feedback",
  "topic",
  "tag",
] as const;

export function addReport(program: Command, cli: Cli): void {
  program
    .command("report")
    .description("query a report: rows, or groups with measurements and bars")
    .addArgument(new Argument("[datasource]").choices([...datasources]))
    .option(
      "-g, --group <column[:trunc]>",
      "group by a column, such as topicId or createdAt:month; up to three",
      repeatable,
    )
    .option("-m, --measure <type[:column]>", "count, avg:score, sum:…, min:…, max:…, p50:…, p95:…", repeatable)
    .option("-f, --filter <column:operator:value,…>", "such as status:eq:ACTIVE or score:gte:0.8", repeatable)
    .option("-o, --order <column[:asc|desc]>", "a column of the results", repeatable)
    .option("--timezone <zone>", "IANA name; default this machine's time zone")
    .option("--skip <number>", "number of rows or groups to skip", integerBetween(0, Number.MAX_SAFE_INTEGER))
    .option("--limit <number>", "maximum number of rows or groups", integerBetween(1, 100))
    .option("--no-archived", "exclude archived topics, tasks and tags")
    .option("--query <file>", "a file with the JSON request body, instead of the options above")
    .action(async (datasource: string | undefined, options: QueryOptions & { query?: string }, command: Command) => {
      const api = apiClient(cli, command);
      const body = options.query === undefined ? await fromOptions() : await readBody(options.query);
      const { data, pagination } = await api.post("/v0/reporting/query", body);
      printResult(cli, command, { data, pagination }, () => reportText(data, body.timezone));
      const { skip, total } = pagination;
      const rowCount = data.results.length;
      if (rowCount < total)
        cli.info(`${skip + 1} to ${skip + rowCount} of ${total}; --skip and --limit select others.`);

      async function fromOptions() {
        if (datasource === undefined)
          throw usage(
            `Datasource missing: ${datasources.slice(0, -1).join(", ")} or ${datasources.at(-1)}; or --query FILE`,
          );
        const columns = await api.get(`/v0/reporting/datasources/${datasource}/columns`);
        return readQuery(datasource, columns.data as QueryColumn[], options);
      }
    });
}

async function readBody(file: string): Promise<Json> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface ReportColumn {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Formats the results as a table with times in the report's zone. Groups get a bar for the first measurement. */
function reportText({ columns, results, visualization }: Json, zone: string): string {
  if (results.length === 0) return "No results.";
  const measures: string[] = visualization.fieldMapping.measures;
  const [first] = measures;
  const isGrouped = first !== undefined && columns.length > measures.length;
  const values = (row: Json): unknown[] =>
    columns.map(({ id, type }: ReportColumn) => formatValue(row[id], type, zone));
  const max = isGrouped ? Math.max(...results.map((row: Json) => row[first] ?? 0)) : 0;
  const heads: Column[] = columns.map(({ name, type }: ReportColumn) => ({
    title: name,
    alignRight: type === "number",
  }));
  if (!isGrouped) return table(heads, results.map(values));
  return table(
    [...heads, { title: "" }],
    results.map((row: Json) => [...values(row), bar(row[first] ?? 0, max, barCells)]),
  );
}

/** Formats numbers with at most four decimals, and a time at midnight in the zone as a date. */
function formatValue(value: unknown, type: string, zone: string): unknown {
  if (type === "number" && typeof value === "number") return Math.round(value * 1e4) / 1e4;
  if (type === "date" && typeof value === "string")
    return Temporal.Instant.from(value)
      .toZonedDateTimeISO(zone)
      .toString({ timeZoneName: "never" })
      .replace(/T00:00:00[+-].*$/, "")
      .replace("+00:00", "Z");
  return value;
}
