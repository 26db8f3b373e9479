// `ems smoke`: smoke test of a running product over the public API. Afterwards one trace and archived resources remain.

import type { Command } from "commander";
import { apiClient, type Cli, printResult } from "../cli.ts";
import { Failure } from "../failure.ts";
import { runSmokeTest } from "../smoke/smoke-test.ts";
import { oneLine } from "../terminal.ts";

export function addSmoke(program: Command, cli: Cli): void {
  program
    .command("smoke")
    .description("smoke test of a running product: create, read, update, report, test the webhook, delete")
    .action(async (_options: object, command: Command) => {
      const steps = await runSmokeTest(apiClient(cli, command), ({ name, ok, durationMs, reason }) =>
        cli.info(`${ok ? "ok    " : "FAILED"}  ${name} (${durationMs} ms)${reason ? `: ${oneLine(reason)}` : ""}`),
      );
      const failed = steps.filter(({ ok }) => !ok).length;
      const passed = steps.length - failed;
      printResult(cli, command, { passed, failed, steps }, () => `${passed} passed, ${failed} failed`);
      if (failed > 0) throw new Failure("The smoke test failed.");
    });
}
