// Runs operations with all of their requests, and checks each answer by the page's types.

import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { Client } from "./client.ts";
import { type Fields, getCases, type Operation, run } from "./operation.ts";

export function tryOperations(client: Client, operations: Readonly<Record<string, Operation>>): void {
  describe.each(Object.entries(operations))("%s", (_, operation) => {
    test.each(getCases(operation).map((each) => [each.name, each] as const))("%s", async (_name, each) => {
      const answer = await run(client, operation, each);
      expect(answer).toMatchObject({ status: operation.status });
      if (operation.answer === undefined) expect(answer.body).toBeUndefined();
      else expect(getFaults(operation.answer, answer.body)).toEqual([]);
      if (each.hasRows !== undefined) expect(getRows(answer.body).length > 0).toBe(each.hasRows);
      const { echo, notEchoed = [], echoedAs = {} } = operation;
      if (echo === undefined || each.body === undefined) return;
      const isEchoed = ([name, value]: [string, unknown]) => value !== null && !notEchoed.includes(name);
      const sent: Fields = Object.fromEntries(Object.entries(each.body).filter(isEchoed));
      const expected = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, echoedAs[name] ?? value]));
      expect(echo(answer.body as never)).toMatchObject(expected);
    });
  });
}

/** Lists deviations from the type, each with its path. */
export function getFaults(type: z.ZodType, value: unknown): string[] {
  const issues = type.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

function getRows(body: unknown): readonly unknown[] {
  return typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data) ? body.data : [];
}
