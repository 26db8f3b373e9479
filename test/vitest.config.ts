import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

/** For every project. What is waited for has time on a machine that has much else to do; where it comes, nobody waits. */
const common = {
  root,
  pool: "forks" as const,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000, interval: 20 } },
};

/** The system from outside, in one shape of the product. */
const system = (name: string, include: string[]) => ({
  test: { ...common, name, include, globalSetup: `test/harness/${name}.ts`, testTimeout: 120_000 },
});

export default defineConfig({
  test: {
    root,
    reporters: ["default", "./test/harness/summary.ts"],
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: "unit",
          include: ["{proto,services,gateway,deploy}/**/*.test.ts", "test/{house,oracle}/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["test/harness/postgres.ts", "test/harness/nats.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...common,
          name: "start",
          include: ["test/start/**/*.test.ts"],
          globalSetup: "test/harness/nats.ts",
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...common,
          name: "events",
          include: ["test/events/**/*.test.ts"],
          testTimeout: 300_000,
        },
      },
      // Takes minutes: `npm test` leaves it out unless it is asked for (deploy/run.mjs), the gate asks for it.
      {
        test: {
          ...common,
          name: "attacks",
          include: ["test/attacks/**/*.test.ts"],
          testTimeout: 120_000,
        },
      },
      system("one-process", ["test/{api,browser,cli}/**/*.test.ts"]),
      system("mesh", ["test/api/**/*.test.ts", "test/mesh/**/*.test.ts"]),
    ],
  },
});
