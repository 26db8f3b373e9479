import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.each([
  ["a rejection", "Promise.reject(new Error('unhandled event'))"],
  ["an error event", "new (require('node:events'))().emit('error', new Error('unhandled event'))"],
])("an unhandled %s ends the process with code 1 and is logged", async (_, cause) => {
  const script = `
    Promise.all([import("./lifecycle.ts"), import("./log.ts")]).then(([{ exitOnUncaughtException }, { createLog }]) => {
      exitOnUncaughtException(createLog("test", "info"));
      setTimeout(() => { ${cause}; }, 0);
      setTimeout(() => process.exit(0), 5_000);
    });`;
  const options = { cwd: import.meta.dirname };
  const { code, stderr } = await promisify(execFile)(process.execPath, ["-e", script], options).catch((error) => error);
  expect([code, stderr]).toEqual([1, expect.stringContaining("unhandled event")]);
});
