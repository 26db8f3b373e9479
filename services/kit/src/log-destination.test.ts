import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LogDestination } from "./log-destination.ts";
import { metricsText } from "./telemetry/metrics.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ems-test-log-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function lost(reason: string): Promise<number> {
  return Number(
    new RegExp(`^ems_log_lines_lost_total{reason="${reason}"} (\\d+)$`, "m").exec(await metricsText())?.[1],
  );
}

test("lines are written in order, including those that wait at an exit", async () => {
  const path = join(folder, "lines");
  const file = await open(path, "a");
  const destination = new LogDestination(file.fd);
  const lines = Array.from({ length: 2_000 }, (_, index) => `${index} ${"x".repeat(index % 50)}\n`);
  for (const line of lines) destination.write(line);
  await expect.poll(() => readFile(path, "utf8")).toBe(lines.join(""));
  destination.write("last\n");
  await expect.poll(() => readFile(path, "utf8")).toBe(`${lines.join("")}last\n`);
  destination.flushSync();
  await file.close();
});

test("lines are counted while the disk is full, and an exit does not wait", async () => {
  const file = await open("/dev/full", "w");
  const before = await lost("ENOSPC");
  const destination = new LogDestination(file.fd);
  for (let count = 0; count < 5; count += 1) destination.write("line\n");
  await expect.poll(() => lost("ENOSPC")).toBe(before + 5);
  destination.write("another\n");
  expect(await lost("ENOSPC")).toBe(before + 6);
  destination.flushSync();

  const exiting = new LogDestination(file.fd);
  exiting.write("being written\n");
  exiting.write("waiting\n");
  exiting.flushSync();
  await expect.poll(() => lost("ENOSPC")).toBe(before + 8);
  await file.close();
});

describe("a pipe", () => {
  /** Creates a named pipe and opens both ends; neither blocks. */
  function pipe(name: string) {
    const path = join(folder, name);
    execFileSync("mkfifo", [path]);
    const open = (flags: number) => openSync(path, flags | constants.O_NONBLOCK);
    return {
      reader: open(constants.O_RDONLY),
      writer: open(constants.O_WRONLY),
      reopen: () => open(constants.O_RDONLY),
    };
  }
  /** Reads until no data is left. */
  function readAll(fd: number): string {
    const buffer = Buffer.alloc(1024 ** 2);
    let text = "";
    try {
      for (let length = -1; length !== 0; ) {
        length = readSync(fd, buffer);
        text += buffer.toString("utf8", 0, length);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    return text;
  }

  test("without a reader loses lines, which are reported to the next reader", async () => {
    const { reader, writer, reopen } = pipe("gone");
    const destination = new LogDestination(writer);
    const before = await lost("EPIPE");
    closeSync(reader);
    for (let count = 0; count < 3; count += 1) destination.write("lost\n");
    await expect.poll(() => lost("EPIPE")).toBe(before + 3);
    const next = reopen();
    let text = "";
    // A line that arrives while the report is being written may still be lost.
    const readOn = () => {
      text += readAll(next);
      if (text.includes("\n")) destination.write("kept\n");
      return text;
    };
    await expect.poll(readOn).toMatch(/\nkept\n$/);
    expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({
      level: 40,
      lost: 3,
      reason: "EPIPE",
      msg: "log lines could not be written",
    });
  });

  test("with a slow reader uses bounded memory, and its lines stay complete", async () => {
    const { reader, writer } = pipe("slow");
    const destination = new LogDestination(writer, 320 * 1024);
    const before = await lost("full");
    const line = `${"x".repeat(32 * 1024 - 1)}\n`;
    for (let count = 0; count < 20; count += 1) destination.write(line);
    const full = (await lost("full")) - before;
    expect(full).toBeGreaterThanOrEqual(9);
    let text = "";
    const found = () => text.split("\n").slice(0, -1);
    const readOn = () => {
      text += readAll(reader);
      return found();
    };
    await expect.poll(readOn).toHaveLength(21 - full);
    const reports = found().filter((entry) => entry.startsWith("{"));
    expect(reports.map((entry) => JSON.parse(entry))).toMatchObject([{ lost: full, reason: "full" }]);
    expect(found().filter((entry) => `${entry}\n` === line)).toHaveLength(20 - full);
  });
});
