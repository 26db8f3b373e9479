// Simulated prompts and document questions by real servers that do not enforce a schema.

import { create, type JsonObject } from "@bufbuild/protobuf";
import { secureRandom } from "@ems/kit/id";
import { GetPromptInputResponseSchema } from "@ems/proto/experiments/v1/execution_service";
import { type ModelServer, modelServer } from "@ems/test-support/model-server";
import { afterAll, describe, expect, test } from "vitest";
import { testConnection, testModels } from "../../test/models.ts";
import { answerDocumentQuestion } from "../judges/index.ts";
import type { Attempt } from "./judge-test.ts";
import { writePrompt } from "./write-prompt.ts";

const server: ModelServer = await modelServer();
const models = testModels();
afterAll(() => Promise.all([server.close(), models.close()]));

describe.each(["openai", "anthropic", "openai-compatible"] as const)("%s", (provider) => {
  const signal = AbortSignal.timeout(60_000);

  /** Runs an attempt with these answers; returns its outcome and the number of calls. */
  async function run(texts: readonly string[], simulatedPromptSchema?: JsonObject) {
    server.script(...texts.map((text) => ({ kind: "answer" as const, text })));
    const from = server.requests.length;
    // Safe cast: an attempt that ends reads only these fields.
    const attempt = {
      job: { kind: "PROMPT" },
      model: models.caller(testConnection(server.url, { provider })),
      signal,
    } as unknown as Attempt;
    const input = create(GetPromptInputResponseSchema, {
      title: "Opening hours",
      description: "Asks for them",
      ...(simulatedPromptSchema && { simulatedPromptSchema }),
    });
    const result = await writePrompt(input, secureRandom, attempt);
    return { outcome: result.kind === "ended" ? result.outcome : result, calls: server.requests.length - from };
  }

  test.each([
    ["in a fence", '```json\n{"prompt": "When do you open?"}\n```'],
    ["after a thought", '<think>{"prompt": "Hm"}</think>{"prompt": "When do you open?"}'],
    ["with an unknown field", '{"prompt": "When do you open?", "tone": "kind"}'],
    ["as a text of JSON", JSON.stringify('{"prompt": "When do you open?"}')],
  ])("a prompt %s is read in one call", async (_, text) => {
    expect(await run([text])).toEqual({ outcome: { kind: "prompt", prompt: "When do you open?" }, calls: 1 });
  });

  test("a prompt of a schema is read without its unknown fields", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    };
    const { outcome, calls } = await run(['Here: {"city": "Bern", "note": 1,}'], schema);
    expect([outcome, calls]).toEqual([{ kind: "prompt", prompt: { city: "Bern" } }, 1]);
  });

  test("a prompt that cannot be read is requested once more, and then fails with its reason", async () => {
    expect(await run(["When do you open?", '{"prompt": "When?"}'])).toEqual({
      outcome: { kind: "prompt", prompt: "When?" },
      calls: 2,
    });
    expect(server.requests.at(-1)?.prompt).toMatch(/Your last answer could not be read/);
    expect(await run(["When?", '{"prompt": " "}'])).toEqual({
      outcome: { kind: "failure", reason: expect.stringMatching(/^invalid_answer: .*prompt: expected a text/) },
      calls: 2,
    });
  });

  test("the answer to a document question is read in one call", async () => {
    const model = models.caller(testConnection(server.url, { provider }));
    const found = {
      statements: [{ passage: "PASSAGE 1", statement: "A card costs 5 euros", repeated: "no" }],
      contradictions: [{ reason: "The price", quote1: "COSTS  5 euros", quote2: "is “free”" }],
      reasoning: "They differ",
    };
    server.script({ kind: "answer", text: `\`\`\`\n${JSON.stringify(found)}\n\`\`\`` });
    const question = {
      type: "MECE" as const,
      subject: { title: "A", text: "A card costs\n5 euros." },
      candidates: [{ title: "B", text: 'A card is "free".' }],
    };
    expect(await answerDocumentQuestion(question, model, { random: secureRandom, signal })).toMatchObject({
      score: 0,
      contradictions: [{ reason: "The price", passageA: "costs\n5 euros", passageB: 'is "free"' }],
    });
  });
});
