import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.each([
  ["a rejection", "Promise.reject(new Error('nobody looked'))"],
  ["an error event", "new (require('node:events'))().emit('error', new Error('nobody looked'))"],
])("%s that nobody handles ends the process with 1, and the log says which", async (_, cause) => {
  const script = `
    Promise.all([import("./lifecycle.ts"), import("./log.ts")]).then(([{ exitOnUncaughtException }, { createLog }]) => {
      exitOnUncaughtException(createLog("test", "info"));
      setTimeout(() => { ${cause}; }, 0);
      setTimeout(() => process.exit(0), 5_000);
    });`;
  const options = { cwd: import.meta.dirname };
  const { code, stderr } = await promisify(execFile)(process.execPath, ["-e", script], options).catch((error) => error);
  expect([code, stderr]).toEqual([1, expect.stringContaining("nobody looked")]);
});
