// Runs `ems` in the process of a test, which takes a tenth of the time that a process of its own takes.

import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Cli, createCli } from "../cli.ts";
import { execute } from "../execute.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Input {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly stopped?: AbortSignal;
  /** Called with the output so far; returning true cancels the command as Ctrl-C does. */
  readonly stopWhen?: (stdout: string) => boolean;
}

/** Runs `ems` with only the given environment. */
export async function runEms(args: readonly string[], { env = {}, stdin = "", ...stop }: Input = {}): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const cancellation = new AbortController();
  const signals = stop.stopped === undefined ? [cancellation.signal] : [cancellation.signal, stop.stopped];
  const output = Promise.all([text(stdout), text(stderr)]);
  let seen = "";
  stdout.on("data", (chunk) => {
    seen += chunk;
    if (stop.stopWhen?.(seen)) cancellation.abort();
  });
  const stopped = AbortSignal.any(signals);
  const code = await execute(args, { env, stopped, stdin: Readable.from([stdin]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [results, messages] = await output;
  return { code, stdout: results, stderr: messages };
}

/** A context for functions that commands call; what they print is passed to `info`. */
export function cliThat(info: (text: string) => void, env: Readonly<Record<string, string>> = {}): Cli {
  const [stdin, stdout, stderr] = [Readable.from([]), new PassThrough().resume(), new PassThrough().resume()];
  return { ...createCli({ env, stopped: new AbortController().signal, stdin, stdout, stderr }), info };
}
