// What every command is given: where its words go, and what it was told by flags and environment.

import { type Command, InvalidArgumentError } from "commander";
import { ApiClient } from "./api.ts";
import { usage } from "./failure.ts";
import { harmless } from "./terminal.ts";

export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly stopped: AbortSignal;
  /** Data, on stdout: one line, or several. */
  out(text: string): void;
  /** Talk, on stderr. */
  say(sentence: string): void;
}

/** The same, but nothing that it is given to write acts on a terminal: the one way out for words, whoever wrote them. */
export function harmlessCli(cli: Cli): Cli {
  return { ...cli, out: (text) => cli.out(harmless(text)), say: (sentence) => cli.say(harmless(sentence)) };
}

interface GlobalOptions {
  readonly url?: string;
  readonly apiKey?: string;
  readonly applicationId?: string;
  readonly json?: boolean;
}

const defaultUrl = "http://127.0.0.1:3000";

/** Where the API is: `--url`, else EMS_URL, else where `npm start` listens. */
export function baseUrlOf(cli: Cli, command: Command): string {
  const { url } = command.optsWithGlobals<GlobalOptions>();
  const given = url ?? (cli.env.EMS_URL || defaultUrl);
  const isHttp = /^https?:$/.test(URL.parse(given)?.protocol ?? "");
  if (!isHttp) throw usage(`--url (EMS_URL) must be an http or https URL, not ${JSON.stringify(given)}`);
  return given.replace(/\/+$/, "");
}

/** Who asks: by flags, else EMS_API_KEY and EMS_APPLICATION_ID. */
export function settingsOf(cli: Cli, command: Command) {
  const flags = command.optsWithGlobals<GlobalOptions>();
  return {
    apiKey: flags.apiKey ?? cli.env.EMS_API_KEY,
    applicationId: flags.applicationId ?? cli.env.EMS_APPLICATION_ID,
  };
}

/** The API as an application. */
export function apiOf(cli: Cli, command: Command): ApiClient {
  const { apiKey, applicationId } = settingsOf(cli, command);
  if (!apiKey) throw usage("Which API key? Set EMS_API_KEY, or --api-key. `npx ems bootstrap` makes one.");
  if (!applicationId) throw usage("Which application? Set EMS_APPLICATION_ID, or --application-id.");
  return new ApiClient({ baseUrl: baseUrlOf(cli, command), apiKey, applicationId, stopped: cli.stopped });
}

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<GlobalOptions>().json === true;
}

/** Tells what a command found: with `--json` the value, else as `text` has it. */
export function answer(cli: Cli, command: Command, value: unknown, text: () => string): void {
  cli.out(isJson(command) ? JSON.stringify(value) : text());
}

/** Reads a whole number of an option, `from` to `to`. */
export function whole(from: number, to: number) {
  return (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= from && number <= to) return number;
    throw new InvalidArgumentError(`A whole number from ${from} to ${to}.`);
  };
}

/** Collects an option that may be given several times. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
