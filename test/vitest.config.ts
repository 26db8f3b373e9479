import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

/** The system from outside, in one shape of the product. */
const system = (name: string, include: string[]) => ({
  test: {
    name,
    root,
    include,
    pool: "forks" as const,
    globalSetup: `test/harness/${name}.ts`,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    root,
    reporters: ["default", "./test/harness/summary.ts"],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          root,
          include: ["{proto,services,gateway,deploy}/**/*.test.ts", "test/house/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          pool: "forks",
          globalSetup: ["test/harness/postgres.ts", "test/harness/nats.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "start",
          root,
          include: ["test/start/**/*.test.ts"],
          pool: "forks",
          globalSetup: "test/harness/nats.ts",
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "events",
          root,
          include: ["test/events/**/*.test.ts"],
          pool: "forks",
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      system("one-process", ["test/{api,browser,cli}/**/*.test.ts"]),
      system("mesh", ["test/api/**/*.test.ts", "test/mesh/**/*.test.ts"]),
    ],
  },
});
