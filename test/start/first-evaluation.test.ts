// The guides to the first evaluation, followed literally against `npm start` in one shell, one after the other.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { modelServer } from "@ems/test-support/model-server";
import { afterAll, expect, test } from "vitest";
import { startProduct } from "../harness/product.ts";

const root = join(import.meta.dirname, "../..");
const guide = (name: string) => readFile(join(root, "deploy/example/first-evaluation", name), "utf8");
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
const [first, second] = [await guide("README.md"), await guide("with-a-model.md")];

const models = await modelServer();
// This model judges whether the answer is a sentence.
models.respond = ({ blocks }) => {
  const answer = blocks.find(({ name }) => name === "ANSWER")?.text ?? "";
  const [rationale, choice] = /^[A-Z].*\.$/.test(answer) ? ["It is one.", "Y"] : ["It is none.", "N"];
  return { kind: "answer", ...(answer !== "" && { object: { rationale, quotes: [answer], choice } }) };
};
const product = await startProduct("one", { env: { MODEL_ALLOW_CIDRS: "127.0.0.1/32" } });
afterAll(async () => {
  await product.remove();
  await models.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Replaces the placeholders in `text`; throws if one is left. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  let script = text;
  for (const [printed, value] of Object.entries(values)) {
    expect(script).toContain(printed);
    script = script.replace(printed, value);
  }
  expect(script).not.toContain("…");
  return script;
}

test("their commands end in the tables that they show: one wrong answer with its reason, then two that a model passes", {
  retry: 0,
}, async () => {
  const [start, ...commands] = blocks(first, "sh");
  expect(start).toBe("npm start\n");
  const { baseUrl, apiKey = "", applicationId } = product.facts;
  const port = await freePort();
  const marker = "------";
  const script = [
    // Values that `npm start` printed, and a free port of this machine.
    filled(commands.join("\n"), {
      "http://127.0.0.1:3000": baseUrl,
      "EMS_API_KEY=ems_…": `EMS_API_KEY=${apiKey}`,
      "EMS_APPLICATION_ID=…": `EMS_APPLICATION_ID=${applicationId}`,
      "127.0.0.1:8787": `127.0.0.1:${port}`,
    }),
    'code=$?; echo "exit $code"',
    // A model server on this machine stands in for OpenAI.
    filled(blocks(second, "sh").join(`\necho ${marker}\n`), {
      "MODEL_API_KEY=sk-…": "MODEL_API_KEY=sk-of-the-guide",
      '"provider": "openai",': `"provider": "openai", "baseUrl": "${models.url}",`,
    }),
  ].join("\n");
  const env = { ...process.env, PORT: String(port) };
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", `trap 'kill $(jobs -p)' EXIT\n${script}`], {
    cwd: root,
    env,
    timeout: 240_000,
  });
  const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const printed = stdout.slice(stdout.indexOf("Task ")).replaceAll(ids, "…");
  const [afterFirst = "", budget, linked, withModel, why = "", rerun] = printed
    .split(`${marker}\n`)
    // Removes the lines that the application prints.
    .map((part) => part.replaceAll(/^.*\? .*\.\n/gm, ""));
  const [table] = blocks(first, "text");
  expect(afterFirst).toBe(`${table}exit 1\ntrue\n`);
  expect(stderr).toContain("2 of 3 judged tests passed: 0.667 is under 1.");
  expect([budget, linked, withModel, rerun]).toEqual(["5\n", "", blocks(second, "text")[0], "0\n"]);
  expect(why).toMatch(/^It is one\.\n0\.000\d+\n$/);
});
