// `ems export traces` and `ems export tests`: files of all rows that match filters, streamed.

import { pipeline } from "node:stream/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { apiClient, type Cli, printResult, repeatable } from "../cli.ts";
import { usage } from "../failure.ts";
import { escapeControls } from "../terminal.ts";
import { type Download, downloadLines, downloadParquet, readLines } from "../transfer/download.ts";

interface Options {
  readonly format: "jsonl" | "parquet";
  readonly output?: string;
  readonly filter?: readonly string[];
  readonly store?: "archive";
}

export function addRowExports(exporting: Command, cli: Cli): void {
  for (const noun of ["traces", "tests"]) {
    exporting
      .command(noun)
      .description(`export all ${noun} that match filters, oldest first`)
      .addOption(new Option("--format <format>", "format of the file").choices(["jsonl", "parquet"]).default("jsonl"))
      .option("--output <file>", "file to write, default stdout; repeat an interrupted JSONL export to continue it")
      .option("-f, --filter <NAME=VALUE>", `filter as in GET /v0/${noun}; can be repeated`, parseFilter)
      .addOption(new Option("--store <store>", `export the archived ${noun} instead`).choices(["archive"]))
      .action(async (options: Options, command: Command) => {
        const { format, output, filter = [], store } = options;
        const query = new URLSearchParams(filter.map((pair) => splitPair(pair)));
        if (store !== undefined) query.set("store", store);
        const download: Download = { api: apiClient(cli, command), path: `/v0/${noun}/export`, query };
        if (format === "parquet") {
          if (output === undefined) throw usage("Parquet needs --output FILE.");
          query.set("format", format);
          await downloadParquet(output, download);
          return cli.info(`${output} is complete.`);
        }
        if (output === undefined) return pipeline(() => escaped(download), cli.stdout, { end: false });
        const lines = await downloadLines(output, download);
        printResult(cli, command, { lines }, () => `${lines.toLocaleString("en")} lines were added to ${output}.`);
      });
  }
}

/** Yields the lines without control characters: stdout may be a terminal. */
async function* escaped(download: Download): AsyncGenerator<string> {
  for await (const line of readLines(download)) yield `${escapeControls(line.subarray(0, -1).toString())}\n`;
}

function parseFilter(pair: string, before?: readonly string[]): readonly string[] {
  if (!/^\w+=/.test(pair)) throw new InvalidArgumentError("Must be NAME=VALUE.");
  return repeatable(pair, before);
}

function splitPair(pair: string): [string, string] {
  const separator = pair.indexOf("=");
  return [pair.slice(0, separator), pair.slice(separator + 1)];
}
