// Defines the command line: all commands and global options.

import { Command } from "commander";
import type { Cli } from "./cli.ts";
import { addArchive } from "./commands/archive.ts";
import { addAudit } from "./commands/audit.ts";
import { addCallers } from "./commands/callers.ts";
import { addCompare } from "./commands/compare.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDead } from "./commands/dead.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addErase } from "./commands/erase.ts";
import { addFeedback } from "./commands/feedback.ts";
import { addKeys } from "./commands/keys.ts";
import { addMembers } from "./commands/members.ts";
import { addNats } from "./commands/nats.ts";
import { addOperate } from "./commands/operate.ts";
import { addQueues } from "./commands/queues.ts";
import { addReport } from "./commands/report.ts";
import { addRerun } from "./commands/rerun.ts";
import { addRun } from "./commands/run.ts";
import { addSmoke } from "./commands/smoke.ts";
import { addTasks } from "./commands/tasks.ts";
import { addTransfer } from "./commands/transfer.ts";
import { addWebhook } from "./commands/webhook.ts";
import manifest from "./package.json" with { type: "json" };

const afterHelp = `
Results go to stdout, messages to stderr. Exit codes: 0 success, 1 failure, 2 invalid command line, setting
or request, 3 not found, 4 not authenticated or not authorized, 5 conflict, 130 interrupted.`;

export function createProgram(cli: Cli): Command {
  const program = new Command("ems")
    .description("The Evaluation Management Service from a shell.")
    .version(`ems ${manifest.version}`, "-V", "print the version; also --version, before a command")
    .option("--url <url>", "base URL of the API; EMS_URL, default http://127.0.0.1:3000")
    .option("--api-key <key>", "default EMS_API_KEY; the environment is safer than an argument")
    .option("--application-id <id>", "default EMS_APPLICATION_ID")
    .option("--json", "print results as JSON, one object per line")
    .addHelpText("after", afterHelp)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeOut: (text) => cli.out(text.trimEnd()), writeErr: (text) => cli.info(text.trimEnd()) });
  addKeys(program, cli);
  addMembers(program, cli);
  addWebhook(program, cli);
  addReport(program, cli);
  addRun(program, cli);
  addCompare(program, cli);
  addRerun(program, cli);
  addTasks(program, cli);
  addTransfer(program, cli);
  addAudit(program, cli);
  addErase(program, cli);
  addSmoke(program, cli);
  addOperate(program, cli);
  addDoctor(program, cli);
  addQueues(program, cli);
  addDead(program, cli);
  addFeedback(program, cli);
  addArchive(program, cli);
  addNats(program, cli);
  addCallers(program, cli);
  addCompletion(program, cli);
  return program;
}
