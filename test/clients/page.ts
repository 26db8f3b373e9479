// Tries operations with all of their requests, and checks each answer by the page's types.

import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { Client } from "./client.ts";
import { casesOf, type Fields, type Operation, run } from "./operation.ts";

export function tryOperations(client: Client, operations: Readonly<Record<string, Operation>>): void {
  describe.each(Object.entries(operations))("%s", (_, operation) => {
    test.each(casesOf(operation).map((one) => [one.name, one] as const))("%s", async (_name, one) => {
      const answer = await run(client, operation, one);
      expect(answer).toMatchObject({ status: operation.status });
      if (operation.answer === undefined) expect(answer.body).toBeUndefined();
      else expect(faultsOf(operation.answer, answer.body)).toEqual([]);
      if (one.hasRows !== undefined) expect(rowsOf(answer.body).length > 0).toBe(one.hasRows);
      const { echo, notEchoed = [], echoedAs = {} } = operation;
      if (echo === undefined || one.body === undefined) return;
      const isEchoed = ([name, value]: [string, unknown]) => value !== null && !notEchoed.includes(name);
      const sent: Fields = Object.fromEntries(Object.entries(one.body).filter(isEchoed));
      const expected = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, echoedAs[name] ?? value]));
      expect(echo(answer.body as never)).toMatchObject(expected);
    });
  });
}

/** Lists deviations from the type, each with its path. */
export function faultsOf(type: z.ZodType, value: unknown): string[] {
  const issues = type.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

function rowsOf(body: unknown): readonly unknown[] {
  return typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data) ? body.data : [];
}
