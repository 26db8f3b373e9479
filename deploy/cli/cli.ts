// Context in which a command runs: environment, output streams, cancellation, and global options.

import type { Readable, Writable } from "node:stream";
import { type Command, InvalidArgumentError } from "commander";
import { ApiClient } from "./api.ts";
import { usage } from "./failure.ts";
import { painted } from "./paint.ts";
import { escapeControls } from "./terminal.ts";

export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Signal that Ctrl-C aborts. */
  readonly stopped: AbortSignal;
  readonly stdin: Readable;
  /** Receives files that a command writes to stdout. */
  readonly stdout: Writable;
  /** Prints a result to stdout. */
  out(text: string): void;
  /** Prints progress or a warning to stderr. */
  info(sentence: string): void;
}

export interface CliProcess {
  readonly env: Cli["env"];
  readonly stopped: AbortSignal;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Escapes control characters in all printed texts, so that stored texts cannot control the terminal. */
export function createCli({ env, stopped, stdin, stdout, stderr }: CliProcess): Cli {
  const print = (stream: Writable) => (text: string) => {
    stream.write(`${painted(escapeControls(text), stream)}\n`);
  };
  return { env, stopped, stdin, stdout, out: print(stdout), info: print(stderr) };
}

interface GlobalOptions {
  readonly url?: string;
  readonly apiKey?: string;
  readonly applicationId?: string;
  readonly json?: boolean;
}

const defaultUrl = "http://127.0.0.1:3000";

/** Returns the base URL of the API: `--url`, else EMS_URL, else the address of `npm start`. */
export function resolveBaseUrl(cli: Cli, command: Command): string {
  const { url } = command.optsWithGlobals<GlobalOptions>();
  const configured = url ?? (cli.env.EMS_URL || defaultUrl);
  const isHttp = /^https?:$/.test(URL.parse(configured)?.protocol ?? "");
  if (!isHttp) throw usage(`--url (EMS_URL) must be an http or https URL, not ${JSON.stringify(configured)}`);
  return configured.replace(/\/+$/, "");
}

/** Returns API key and application id from the flags, else from EMS_API_KEY and EMS_APPLICATION_ID. */
export function readCredentials(cli: Cli, command: Command) {
  const flags = command.optsWithGlobals<GlobalOptions>();
  return {
    apiKey: flags.apiKey ?? cli.env.EMS_API_KEY,
    applicationId: flags.applicationId ?? cli.env.EMS_APPLICATION_ID,
  };
}

/** Returns a client of the public API with the credentials of the command line. */
export function apiClient(cli: Cli, command: Command): ApiClient {
  const { apiKey, applicationId } = readCredentials(cli, command);
  if (!apiKey) throw usage("API key missing: set EMS_API_KEY or --api-key. `npx ems bootstrap` creates one.");
  if (!applicationId) throw usage("Application missing: set EMS_APPLICATION_ID or --application-id.");
  return new ApiClient({ baseUrl: resolveBaseUrl(cli, command), apiKey, applicationId, stopped: cli.stopped });
}

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<GlobalOptions>().json === true;
}

/** Prints a command's result: with `--json` the value as JSON, otherwise `text`. */
export function printResult(cli: Cli, command: Command, value: unknown, text: () => string): void {
  cli.out(isJson(command) ? JSON.stringify(value) : text());
}

/** Returns a parser for an option whose value is an integer from `from` to `to`. */
export function integerBetween(from: number, to: number) {
  return (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= from && number <= to) return number;
    throw new InvalidArgumentError(`Must be an integer from ${from} to ${to}.`);
  };
}

/** Collects the values of an option that may be repeated. */
export function repeatable(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
