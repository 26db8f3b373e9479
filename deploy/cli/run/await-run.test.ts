import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ApiClient } from "../api.ts";
import { cliThat } from "../test/ems.ts";
import { awaitRun } from "./await-run.ts";

const runAt = (completed: number) => ({
  run: { id: "r1", status: completed === 2 ? "COMPLETED" : "IN_PROGRESS", progress: { completed, total: 2 } },
});

/** Starts a product that answers requests for the run in order: status and body, or "reset" to close the connection. */
async function productThat(answers: (readonly [number, object] | "reset")[], open: readonly (string | null)[] = []) {
  const server = createServer((request, response) => {
    const isRun = request.url?.startsWith("/v0/runs/");
    const tests = { data: open.map((waitingFor) => ({ waitingFor })) };
    const answer = isRun ? answers.shift() : ([200, tests] as const);
    if (answer === undefined || answer === "reset") return void response.socket?.resetAndDestroy();
    response.writeHead(answer[0], { "content-type": "application/json" }).end(JSON.stringify(answer[1]));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const reported: string[] = [];
  const cli = cliThat((text) => reported.push(text));
  const api = new ApiClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "k", applicationId: "a" });
  return { reported, wait: (timeoutMs = 60_000) => awaitRun(cli, api, "r1", timeoutMs) };
}

test("waiting continues across a restart of the product and errors of a proxy", async () => {
  const product = await productThat([
    [200, runAt(0)],
    "reset",
    [502, {}],
    "reset",
    [503, {}],
    [200, runAt(1)],
    [200, runAt(2)],
  ]);
  expect(await product.wait()).toEqual(runAt(2).run);
  expect(product.reported.at(0)).toBe("0 of 2 tests");
  expect(product.reported.at(-1)).toBe("2 of 2 tests");
});

test("a permanent error ends the wait", async () => {
  const product = await productThat([[404, { message: "Run not found" }]]);
  await expect(product.wait()).rejects.toMatchObject({ exit: 3 });
});

test("the wait ends at its timeout, with a message that the run continues", async () => {
  const product = await productThat([[200, runAt(0)]]);
  await expect(product.wait(0)).rejects.toThrow("continues");
});

test("progress messages have the reasons why tests are open", async () => {
  const product = await productThat([[200, runAt(1)]], ["trace", null, "budget", "trace"]);
  await expect(product.wait(0)).rejects.toThrow("continues");
  expect(product.reported).toEqual(["1 of 2 tests, waiting for budget, trace"]);
});
