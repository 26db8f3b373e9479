// Runs test files against mutated sources in a copy of the repository, with one Vitest and one PostgreSQL.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import { root } from "../house/sources.ts";
import { type Mutation, mutate } from "./mutation.ts";

export type Outcome = "passed" | "failed" | "timed out";

export interface Checked {
  readonly outcome: Outcome;
  /** Test files that ran. */
  readonly tests: readonly string[];
}

/** No test file takes this long, even on a busy machine; a mutation may cause an endless loop. */
const limitMs = 120_000;
const testTimeout = 60_000;
/** Vitest may fail to close after its workers were killed. */
const closeMs = 10_000;

export class Session {
  readonly #copy: string;
  #vitest: Vitest;
  #specifications: ReadonlyMap<string, TestSpecification>;
  /** Test files known to pass without a mutation. */
  readonly #passing = new Set<string>();

  private constructor(copy: string, { vitest, specifications }: Started) {
    this.#copy = copy;
    this.#vitest = vitest;
    this.#specifications = specifications;
  }

  static async open(): Promise<Session> {
    const copy = copyRepository();
    return new Session(copy, await start(copy));
  }

  /** True if the file is a test of the projects `unit` or `products`. */
  canRun(test: string): boolean {
    return this.#specifications.has(join(this.#copy, test));
  }

  /** Runs test files against the mutation until one fails; starts none after `limitMs`. */
  async check(mutation: Mutation, tests: readonly string[], limitMs: number): Promise<Checked> {
    const path = join(this.#copy, mutation.file);
    const source = readFileSync(path, "utf8");
    const endMs = performance.now() + limitMs;
    const ran: string[] = [];
    this.#write(path, mutate(source, mutation));
    try {
      for (const test of tests) {
        if (performance.now() > endMs) break;
        ran.push(test);
        const outcome = await this.#run(test);
        if (outcome === "passed") continue;
        this.#write(path, source);
        await this.#assertPasses(test);
        return { outcome, tests: ran };
      }
      return { outcome: "passed", tests: ran };
    } finally {
      this.#write(path, source);
    }
  }

  /** Throws if the test fails without a mutation, since it then proves nothing. */
  async #assertPasses(test: string): Promise<void> {
    if (this.#passing.has(test)) return;
    const outcome = await this.#run(test);
    if (outcome !== "passed") throw new Error(`${test} fails without a mutation: mend it first`);
    this.#passing.add(test);
  }

  /** Stops PostgreSQL and removes the copy, even while tests run. */
  async close(): Promise<void> {
    rmSync(this.#copy, { recursive: true, force: true });
    killWorkers();
    const late = new Promise((resolve) => setTimeout(resolve, closeMs).unref());
    await Promise.race([this.#vitest.close(), late]);
  }

  #write(path: string, source: string): void {
    writeFileSync(path, source);
    this.#vitest.invalidateFile(path);
  }

  async #run(test: string): Promise<Outcome> {
    const moduleId = join(this.#copy, test);
    const specification = this.#specifications.get(moduleId);
    if (specification === undefined) throw new Error(`${test} is no test file of the projects unit and products`);
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), limitMs);
    const result = await Promise.race([this.#vitest.runTestSpecifications([specification]), late.promise]);
    clearTimeout(timer);
    if (result === undefined) {
      await this.#restart();
      return "timed out";
    }
    const module = result.testModules.find((each) => each.moduleId === moduleId);
    return result.unhandledErrors.length === 0 && module?.state() === "passed" ? "passed" : "failed";
  }

  /** Starts another Vitest: one whose run does not end cannot begin another run. */
  async #restart(): Promise<void> {
    killWorkers();
    void this.#vitest.close().catch(() => undefined);
    const { vitest, specifications } = await start(this.#copy);
    this.#vitest = vitest;
    this.#specifications = specifications;
  }
}

interface Started {
  readonly vitest: Vitest;
  readonly specifications: ReadonlyMap<string, TestSpecification>;
}

async function start(copy: string): Promise<Started> {
  const vitest = await createVitest(
    "test",
    {
      config: join(copy, "test/vitest.config.ts"),
      root: copy,
      project: ["unit", "products"],
      watch: false,
      bail: 1,
      maxWorkers: 1,
      retry: 0,
      testTimeout,
      hookTimeout: testTimeout,
      reporters: [{}],
    },
    { clearScreen: false, logLevel: "silent" },
  );
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications();
  return { vitest, specifications: new Map(specifications.map((each) => [each.moduleId, each])) };
}

/** Kills Vitest's workers, which are child processes: an endless loop reacts to nothing else. */
function killWorkers(): void {
  const children = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" });
  for (const line of children.split("\n")) {
    const [pid = "", ...args] = line.trim().split(/\s+/);
    if (args.join(" ").includes("vitest/dist/workers")) process.kill(Number(pid), "SIGKILL");
  }
}

/** Copies the repository without installed packages; relative links between packages stay within the copy. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), "ems-mutants-"));
  const skipped = new Set([join(root, "node_modules"), join(root, ".git"), join(root, ".data")]);
  for (const name of readdirSync(root)) {
    const source = join(root, name);
    if (!skipped.has(source)) cpSync(source, join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}
