// Entry point of the image: runs `<command> [options]` in this process, so that signals reach it.

import { constants } from "node:os";
import { extname, join } from "node:path";
import { commands } from "./commands.ts";

const [name = ""] = process.argv.splice(2, 1);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined)
  refuse(`${name ? `Unknown command "${name}".` : "A command is required."} One of: ${names()}.`);
const missing = command.needs?.filter((variable) => !process.env[variable]) ?? [];
if (missing.length > 0) refuse(`${name} requires ${missing.join(" and ")}.`);

// As PID 1, the process ignores signals that have no handler. End on a signal until the module adds its own handler.
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}
// In the image, the modules and this file are bundled JavaScript, so replace the extension.
await import(join(import.meta.dirname, "..", command.module.replace(/\.ts$/, extname(import.meta.filename))));

function names(): string {
  return Object.keys(commands).join(", ");
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
