// `ems feedback`: feedback that was kept because no relay confirmed its mail. Nothing sends it again but this.

import type { Command } from "commander";
import { asRelay } from "../as-relay.ts";
import { type Cli, integerBetween, printResult } from "../cli.ts";
import { exits, Failure, usage } from "../failure.ts";
import type { Resent } from "../kept-feedback.ts";
import { lines, table } from "../table.ts";

export function addFeedback(program: Command, cli: Cli): void {
  const feedback = program.command("feedback").description("operator: feedback whose mail did not go out");
  feedback
    .command("list")
    .description("the newest ones, and why")
    .option("--limit <number>", "the most of them", integerBetween(1, 10_000), 100)
    .option("--show", "with what they say, which is read with SEALING_KEYS or those of DATA_DIR")
    .action(async ({ limit, show }: { limit: number; show?: boolean }, command: Command) => {
      const rows = await asRelay(cli, openKeptFeedback, ({ list }) => list(limit));
      const read = show ? await reader(cli) : undefined;
      const found = rows.map(({ text, ...one }) => ({ ...one, ...(read && { text: read({ text, ...one }) }) }));
      printResult(cli, command, { feedback: found }, () => (found.length === 0 ? "Nothing." : told(found)));
    });
  feedback
    .command("resend [id...]")
    .description("send them once more; sent is what the relay confirms, the rest stays")
    .option("--all", "all that are kept, oldest first")
    .action(async (given: string[], { all }: { all?: boolean }, command: Command) => {
      if (given.length > 0 === (all === true)) throw usage("Which feedback? Name ids, or --all.");
      const results = await asRelay(cli, openKeptFeedback, async ({ ids, resend }) => {
        const done: (Resent & { id: string })[] = [];
        for (const id of all ? await ids() : new Set(given)) {
          done.push({ id, ...(await resend(id, cli.stopped)) });
          if (cli.stopped.aborted || done.at(-1)?.outcome === "IGNORED") break;
        }
        return done;
      });
      tell(cli, command, results);
    });
}

interface Shown {
  readonly createdAt: Date;
  readonly id: string;
  readonly applicationId: string;
  readonly reason: string;
  readonly text?: string;
}

function told(found: readonly Shown[]): string {
  const heads = ["Made", "Id", "Application", "Reason"].map((title) => ({ title }));
  const row = ({ createdAt, id, applicationId, reason }: Shown) => [createdAt.toISOString(), id, applicationId, reason];
  const [head = "", ...rows] = table(heads, found.map(row)).split("\n");
  const withText = found.flatMap(({ text }, at) => [
    rows[at] ?? "",
    ...(text === undefined ? [] : lines(text).map((line) => `    ${line}`)),
  ]);
  return [head, ...withText].join("\n");
}

function tell(cli: Cli, command: Command, results: readonly (Resent & { id: string })[]): void {
  const idsOf = (wanted: Resent["outcome"]) => results.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const sent = idsOf("SENT");
  const left = results.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }]));
  printResult(cli, command, { sent, left }, () =>
    [...sent.map((id) => `sent  ${id}`), ...left.map(({ id, reason }) => `left  ${id}: ${reason}`)].join("\n"),
  );
  const failures = [
    ["UNKNOWN", "There is no such feedback", exits.notFound],
    ["ALREADY_SENT", "Went out before", exits.conflict],
    ["BUSY", "Being sent at the moment", exits.conflict],
    ["IGNORED", "Nobody takes it up (does notifications run?), and nobody will", exits.failed],
    ["FAILED", "Did not go out", exits.failed],
  ] as const;
  for (const [outcome, sentence, exit] of failures) {
    const ids = idsOf(outcome);
    if (ids.length > 0) throw new Failure(`${sentence}: ${ids.join(", ")}.`, exit);
  }
}

/** Opens texts, with the keys that notifications seals them with. */
async function reader(cli: Cli) {
  const [{ secretBox }, { placeOf }, { secureRandom }, { sealingKeys }] = await Promise.all([
    import("@ems/notifications/secret-box"),
    import("@ems/notifications/feedback/unsent"),
    import("@ems/kit/id"),
    import("../operator.ts"),
  ]);
  const box = secretBox(await sealingKeys(cli), secureRandom);
  return (one: { applicationId: string; id: string; text: string }): string => {
    try {
      return box.open(one.text, placeOf(one));
    } catch {
      throw new Failure(`What ${one.id} says cannot be read: SEALING_KEYS are not those that it was sealed with.`);
    }
  };
}

const openKeptFeedback = async () => (await import("../kept-feedback.ts")).openKeptFeedback;
