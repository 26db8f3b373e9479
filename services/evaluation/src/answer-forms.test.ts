// Forms in which models and servers answer, for each provider, with and without support for structured output. A form
// that contains one judgment is judged in one call; each other form has its own reason.

import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { DefinitionTrialService } from "@ems/proto/evaluation/v1/definition_trial_service";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { testCall, testTenant } from "@ems/test-support";
import { type ModelRequest, modelServer, type Step } from "@ems/test-support/model-server";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { evaluationHarness } from "../test/harness.ts";

const server = await modelServer();
afterAll(() => server.close());
const definition = { type: EvalDefinitionType.CUSTOM, globalConfig: { criterion: "Names the settings page" } };
const harness = await evaluationHarness(
  { MODEL_ALLOW_CIDRS: "127.0.0.1/32" },
  { plans: { getDraftJudgeDefinition: () => ({ definition }) } },
);
const connections = harness.client(ModelConnectionService);
const trials = harness.client(DefinitionTrialService);

const judgement = { rationale: "It names Settings.", quotes: ["Settings"], choice: "Y" };
const json = JSON.stringify(judgement);
const withFields = (fields: object) => JSON.stringify({ ...judgement, ...fields });
const answer = "In Settings, choose “Close account”.";

const providers = ["openai", "anthropic", "openai-compatible"] as const;
const servers = ["ignores the schema", "rejects the schema"] as const;
type Server = (typeof servers)[number];

/** Refuses a request with a schema, as servers without structured output do. */
const rejecting = ({ schema, protocol }: ModelRequest): Step | undefined =>
  schema === undefined
    ? undefined
    : {
        kind: "error",
        status: 400,
        message: protocol === "openai" ? "Unknown field: response_format" : "tools: unknown",
      };

describe.each(providers.flatMap((provider) => servers.map((kind) => [provider, kind] as const)))(
  "%s, with a server that %s",
  (provider, kind: Server) => {
    let tenant = testTenant();
    const request = { name: "Judge", provider, baseUrl: server.url, model: "model-a", apiKey: "sk-key-of-the-tests" };
    beforeEach(async () => {
      tenant = testTenant();
      await connections.createModelConnection(request, testCall(tenant));
    });

    /** Runs a trial that gets these answers, and counts the answered calls. */
    const judge = async (...steps: Step[]) => {
      let calls = 0;
      server.respond = (sent) => (kind === "rejects the schema" ? rejecting(sent) : undefined) ?? steps[calls++];
      const trial = { ...definition, question: "How do I close my account?", answer };
      const { data } = await trials.tryDefinition(trial, testCall(tenant));
      return { data, calls };
    };
    const judgeText = (text: string) => judge({ kind: "answer", text });

    test.each([
      ["bare JSON", json],
      ["a fence", `\`\`\`json\n${json}\n\`\`\``],
      ["words before it", `Sure! Here is my judgement:\n\n${json}`],
      ["a thought", `<think>\nIt names {Settings}.\n</think>\n\n${json}`],
      ["a byte order mark", `\ufeff${json}`],
      ["JSON in a text of JSON", JSON.stringify(json)],
      ["a list of one", `[${json}]`],
      ["a trailing comma", json.replace("}", ",}")],
      ["y", withFields({ choice: "y" })],
      ["Yes", withFields({ choice: "Yes" })],
      ["true", withFields({ choice: true })],
      ["an unknown field", withFields({ confidence: 0.9 })],
      ["quotes null", withFields({ quotes: null })],
      ["no quotes", withFields({ quotes: undefined })],
    ])("%s is judged in one call", async (_, text) => {
      const { data, calls } = await judgeText(text);
      expect([data?.status, data?.score, data?.message, calls]).toEqual([EvaluationStatus.COMPLETED, 1, undefined, 1]);
    });

    test.each([
      ["another case", "in settings", "In Settings"],
      ["other white space", "In\n Settings,", "In Settings,"],
      ["other quotation marks", 'choose "close account"', "choose “Close account”"],
      ["an ellipsis", "In … account", "In Settings, choose “Close account"],
      ["three dots", "Settings...Close", "Settings, choose “Close"],
    ])("a quote with %s is kept, as found in the answer", async (_, quote, found) => {
      const { data, calls } = await judgeText(withFields({ quotes: [quote] }));
      expect([data?.score, data?.results?.details, calls]).toEqual([1, { evidence: [found] }, 1]);
    });

    const protocol = provider === "anthropic" ? "anthropic" : "openai";
    const empty = protocol === "openai" ? '{"choices": []}' : '{"content": null}';
    test.each<[string, Step, RegExp]>([
      ["a web page", { kind: "raw", body: "<!DOCTYPE html><html>" }, /^not_a_completion: .*a web page.* base URL/],
      [
        "an error",
        { kind: "raw", body: '{"error": {"message": "No", "code": 503}}' },
        /^model_unavailable: .*503.*: No/,
      ],
      ["an error of the rate", { kind: "raw", body: '{"error": {"code": 429}}' }, /^rate_limited: .*requestsPerMinute/],
      ["no choice", { kind: "raw", body: empty }, /^not_a_completion: .*without a choice/],
      ["other JSON", { kind: "raw", body: '{"done": true}' }, /^not_a_completion: .*JSON that is not a completion/],
      ["a rate limit", { kind: "error", status: 429 }, /^rate_limited: /],
      [
        "half of it, at the token limit",
        { kind: "answer", text: json.slice(0, 40), stop: "length" },
        /^answer_cut: .*8192/,
      ],
      ["a refusal", { kind: "answer", text: "I can't help.", stop: "refusal" }, /^model_refused: .*Rephrase/],
    ])("%s has its own reason, and is not repaired", async (_, step, reason) => {
      const { data, calls } = await judge(step);
      expect([data?.status, data?.message, calls]).toEqual([EvaluationStatus.FAILED, expect.stringMatching(reason), 1]);
    });

    test.each<[string, Step, RegExp]>([
      ["a wrong key", { kind: "error", status: 401 }, /the key is not accepted/],
      [
        "a wrong key, with a success status",
        { kind: "raw", body: '{"error": {"code": "invalid_api_key"}}' },
        /the key is not/,
      ],
      [
        "a used quota",
        { kind: "raw", status: 429, body: '{"error": {"code": "insufficient_quota"}}' },
        /Raise the quota/,
      ],
      ["an unknown model", { kind: "error", status: 404, message: "The model `m` does not exist" }, /Set a model/],
      ["another address", { kind: "raw", status: 404, body: "Not Found" }, /base URL/],
    ])("%s pauses the connection with its reason", async (_, step, reason) => {
      await expect(judge(step)).rejects.toMatchObject({ rawMessage: expect.stringMatching(reason) });
    });

    test("a filter of the provider has its own reason", async () => {
      const body = { choices: [{ message: { content: json }, finish_reason: "content_filter" }] };
      const step: Step =
        protocol === "openai"
          ? { kind: "raw", body: JSON.stringify(body) }
          : { kind: "error", status: 400, message: "Output blocked by content filtering policy" };
      const { data, calls } = await judge(step);
      expect([data?.message, calls]).toEqual([expect.stringMatching(/^answer_filtered: .*filter's settings/), 1]);
    });

    test.each<[string, string, RegExp]>([
      ["prose", "It names Settings, so: Y", /^answer_not_json: /],
      ["two different objects", `${json}\n${withFields({ choice: "N" })}`, /^answer_not_json: .*several different/],
      ["another object", '{"verdict": "Y"}', /^invalid_answer: .*rationale: /],
      ["nothing", " ", /^empty_answer: /],
      ["quotes that are not there", withFields({ quotes: ["Billing"] }), /^evidence_missing: /],
    ])("%s is repaired once", async (_, text, reason) => {
      const step: Step = { kind: "answer", text };
      const failed = await judge(step, step);
      expect([failed.data?.message, failed.calls]).toEqual([expect.stringMatching(reason), 2]);
      const repaired = await judge(step, { kind: "answer", text: json });
      expect([repaired.data?.score, repaired.calls]).toEqual([1, 2]);
    });

    test("a complete judgment counts, although the token limit ended the answer", async () => {
      const { data, calls } = await judge({ kind: "answer", text: `${json}\nI chose Y bec`, stop: "length" });
      expect([data?.score, calls]).toEqual([1, 1]);
    });

    test.each([
      ["missing", undefined],
      ["fractional", 12.5],
      ["negative", -5],
      ["huge", 9_999_999_999_999],
    ])("usage that is %s is estimated", async (_, count) => {
      const counts = { prompt_tokens: count, completion_tokens: count, input_tokens: count, output_tokens: count };
      const body =
        protocol === "openai"
          ? { choices: [{ message: { content: json }, finish_reason: "stop" }], usage: counts }
          : { content: [{ type: "text", text: json }], stop_reason: "end_turn", usage: counts };
      const { data } = await judge({ kind: "raw", body: JSON.stringify(body) });
      const { score, inputTokens = 0n, outputTokens = 0n, estimatedTokens } = data ?? {};
      expect([score, estimatedTokens]).toEqual([1, inputTokens + outputTokens]);
      expect(inputTokens > 100n && outputTokens > 10n && inputTokens < 10_000n).toBe(true);
    });

    test("a server that does not enforce the schema gets it in the instructions", async () => {
      const from = server.requests.length;
      await judgeText("It names Settings, so: Y");
      const [system = ""] = server.requests
        .slice(from)
        .map((sent) => sent.system)
        .slice(-1);
      expect(system).toContain('"choice":{"type":"string","enum":["Y","N"]}');
    });

    test("any wrapping and spelling gives the same verdict in one call", async () => {
      const wraps = [
        (text: string) => text,
        (text: string) => `\`\`\`json\n${text}\n\`\`\``,
        (text: string) => `My judgement: ${text} Done.`,
        (text: string) => `<think>{hm}</think>${text}`,
        (text: string) => `[${text}]`,
        (text: string) => JSON.stringify(text),
      ];
      const spells = [{}, { choice: "yes" }, { choice: "PASS" }, { choice: true }, { quotes: null }, { note: [1, {}] }];
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...wraps),
          fc.subarray(spells, { minLength: 1 }),
          fc.constantFrom(0, 2),
          async (wrap, fields, indent) => {
            const object = Object.assign({ ...judgement }, ...fields);
            const { data, calls } = await judgeText(wrap(JSON.stringify(object, undefined, indent)));
            expect([data?.score, calls]).toEqual([1, 1]);
          },
        ),
        { numRuns: 20 },
      );
    });
  },
);
