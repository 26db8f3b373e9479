// The product keeps serving if it cannot write its log: the disk is full, or the log's reader has exited.

import { execFile } from "node:child_process";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDataDir } from "../harness/data-dir.ts";
import { type Product, type Shape, startProduct } from "../harness/product.ts";
import { requestTopics } from "./request-topics.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const reported = "log lines could not be written";

let folder: string;
beforeAll(async () => {
  folder = await temporaryDir("ems-test-full-log-");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a product that logs each request to this file descriptor. */
async function start(shape: Shape, stderr?: number): Promise<Product> {
  const dataDir = await newDataDir("ems-test-full-log-");
  return startProduct(shape, { dataDir, env: { LOG_LEVEL: "info" }, ...(stderr !== undefined && { stderr }) });
}

async function assertServes(product: Product, title: string) {
  expect(await requestTopics(product, product.facts.apiKey, { title })).toMatchObject({ title });
}

const metrics = async ({ facts }: Product) => (await fetch(`${facts.adminUrl}/metrics`)).text();

describe.each(["one", "mesh"] as const)("npm start as %s", (shape) => {
  test("starts, serves and stops with a full disk under its log", async () => {
    const full = await open("/dev/full", "w");
    const product = await start(shape, full.fd);
    try {
      await assertServes(product, "on a full disk");
      // In the mesh, the process that collects the output loses the lines.
      if (shape === "one")
        await expect.poll(() => metrics(product)).toMatch(/^ems_log_lines_lost_total\{reason="ENOSPC"\} [1-9]/m);
      expect(await product.stop()).toBe(0);
    } finally {
      await product.remove();
      await full.close();
    }
  });

  test("serves on when the reader of its log has gone", async () => {
    const product = await start(shape);
    try {
      product.process.stderr?.destroy();
      for (let count = 0; count < 5; count += 1) await assertServes(product, `without a reader ${count}`);
      if (shape === "one")
        await expect.poll(() => metrics(product)).toMatch(/^ems_log_lines_lost_total\{reason="EPIPE"\} [1-9]/m);
      expect(await product.stop()).toBe(0);
    } finally {
      await product.remove();
    }
  });

  test.runIf(isRoot)("reports what was lost when its full disk has room again", async () => {
    const disk = join(folder, shape);
    await mkdir(disk);
    await run("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]);
    const log = await open(join(disk, "log"), "a");
    let product: Product | undefined;
    try {
      product = await start(shape, log.fd);
      await assertServes(product, "with room");
      await writeFile(join(disk, "ballast"), Buffer.alloc(256 * 1024)).catch(() => undefined);
      for (let count = 0; count < 40; count += 1) await assertServes(product, `on a full disk ${count}`);
      await rm(join(disk, "ballast"));
      const lines = async () => (await readFile(join(disk, "log"), "utf8")).split("\n").filter(Boolean);
      await expect.poll(lines).toContainEqual(expect.stringContaining(reported));
      const report = JSON.parse((await lines()).findLast((line) => line.includes(reported)) ?? "");
      expect(report).toMatchObject({ level: 40, name: "log", reason: "ENOSPC" });
      expect(report.lost).toBeGreaterThan(0);
      await assertServes(product, "with room again");
      await expect.poll(lines).toContainEqual(expect.stringMatching(/"time":.*request/));
      expect(await product.stop()).toBe(0);
    } finally {
      await product?.remove();
      await log.close();
      await run("umount", [disk]);
    }
  });
});
