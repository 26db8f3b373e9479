// What the container image starts: `<command> [options]`, in this very process, so that signals reach it and no process
// stands between.

import { constants } from "node:os";
import { join } from "node:path";
import { commands } from "./commands.ts";

const [name = ""] = process.argv.splice(2, 1);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) refuse(`${name ? `There is no command "${name}".` : "Which command?"} One of: ${known()}.`);
const missing = command.needs?.filter((variable) => !process.env[variable]) ?? [];
if (missing.length > 0) refuse(`${name} needs ${missing.join(" and ")}.`);

// The first process of a container ignores every signal that it does not listen to: until the module listens, one ends it.
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}
await import(join(import.meta.dirname, "..", command.module));

function known(): string {
  return Object.keys(commands).join(", ");
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
