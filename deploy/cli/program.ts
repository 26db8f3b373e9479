// The command line: which commands there are.

import { Command } from "commander";
import type { Cli } from "./cli.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDead } from "./commands/dead.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addFeedback } from "./commands/feedback.ts";
import { addKeys } from "./commands/keys.ts";
import { addOperate } from "./commands/operate.ts";
import { addReport } from "./commands/report.ts";
import { addSmoke } from "./commands/smoke.ts";
import { addTransfer } from "./commands/transfer.ts";
import { addWebhook } from "./commands/webhook.ts";

const afterHelp = `
Data go to stdout, talk goes to stderr. Exit codes: 0 done, 1 failed, 2 wrong command line, 3 not found,
4 not authenticated or not allowed, 5 conflict.`;

export function programOf(cli: Cli): Command {
  const program = new Command("ems")
    .description("The Evaluation Management Service from a shell.")
    .option("--url <url>", "base URL of the API; EMS_URL, else http://127.0.0.1:3000")
    .option("--api-key <key>", "EMS_API_KEY when omitted; the environment is the safer place")
    .option("--application-id <id>", "EMS_APPLICATION_ID when omitted")
    .option("--json", "answer with JSON, a line each")
    .addHelpText("after", afterHelp)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeOut: (text) => cli.out(text.trimEnd()), writeErr: (text) => cli.say(text.trimEnd()) });
  addKeys(program, cli);
  addWebhook(program, cli);
  addReport(program, cli);
  addTransfer(program, cli);
  addSmoke(program, cli);
  addOperate(program, cli);
  addDoctor(program, cli);
  addDead(program, cli);
  addFeedback(program, cli);
  addCompletion(program, cli);
  return program;
}
