// `ems feedback`: feedback mails that the mail relay did not confirm. Only this command sends them again.

import type { Command } from "commander";
import { type Cli, integerBetween } from "../cli.ts";

export function addFeedback(program: Command, cli: Cli): void {
  const feedback = program.command("feedback").description("operator: feedback whose mail was not sent");
  feedback
    .command("list")
    .description("list unsent feedback with its reasons, newest first")
    .option("--limit <number>", "maximum number of rows", integerBetween(1, 10_000), 100)
    .option("--show", "include the texts, which are opened with SEALING_KEYS or the keys in DATA_DIR")
    .action(async (options: { limit: number; show?: boolean }, command: Command) =>
      (await actions()).listFeedback(cli, command, options),
    );
  feedback
    .command("resend [id...]")
    .description("send feedback once more; what the mail relay does not confirm stays unsent")
    .option("--all", "all unsent feedback, oldest first")
    .action(async (ids: string[], { all = false }: { all?: boolean }, command: Command) =>
      (await actions()).resendFeedback(cli, command, ids, all),
    );
}

/** Imported lazily, because the module loads the generated protobuf messages. */
const actions = () => import("../unsent-feedback.ts");
