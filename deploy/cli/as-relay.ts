import type { Cli } from "./cli.ts";

interface Opened {
  close(): Promise<void>;
}

/**
 * Does something in the database as notifications' relay role, which sees every application's rows there. What knows the
 * database is loaded here and not before: no command of applications needs it.
 */
export async function asRelay<Open extends Opened, Result>(
  cli: Cli,
  load: () => Promise<(url: string) => Open>,
  action: (opened: Open) => Promise<Result>,
): Promise<Result> {
  const [open, { databaseAs }] = await Promise.all([load(), import("./operator.ts")]);
  const opened = open(await databaseAs(cli, "ems_notifications_relay"));
  try {
    return await action(opened);
  } finally {
    await opened.close();
  }
}
