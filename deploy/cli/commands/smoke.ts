// `ems smoke`: a walk through a running product, as an application would use it. It leaves a trace and
// archived things of its own, and nothing else.

import type { Command } from "commander";
import { answer, apiOf, type Cli } from "../cli.ts";
import { Failure } from "../failure.ts";
import { walk } from "../smoke/walk.ts";
import { oneLine } from "../terminal.ts";

export function addSmoke(program: Command, cli: Cli): void {
  program
    .command("smoke")
    .description("walk through a running product: create, read, change, report, send the webhook a test, delete")
    .action(async (_options: object, command: Command) => {
      const steps = await walk(apiOf(cli, command), ({ name, ok, durationMs, reason }) =>
        cli.say(`${ok ? "ok    " : "FAILED"}  ${name} (${durationMs} ms)${reason ? `: ${oneLine(reason)}` : ""}`),
      );
      const failed = steps.filter(({ ok }) => !ok).length;
      const passed = steps.length - failed;
      answer(cli, command, { passed, failed, steps }, () => `${passed} passed, ${failed} failed`);
      if (failed > 0) throw new Failure("The product does not do what it should.");
    });
}
