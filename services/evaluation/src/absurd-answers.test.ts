// Absurd answers from providers, in trials and jobs. They cause no internal error, every call is recorded with its
// tokens or an estimate, and the limits of attempts and budgets hold.

import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { DefinitionTrialService } from "@ems/proto/evaluation/v1/definition_trial_service";
import { EvaluationSettingsService } from "@ems/proto/evaluation/v1/evaluation_settings_service";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import type { EvaluationOutcome } from "@ems/proto/experiments/v1/execution_service";
import { testCall, testTenant } from "@ems/test-support";
import { modelServer, type Step } from "@ems/test-support/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AbsurdAnswer, absurdAnswers, type Charge } from "../test/absurd-answers.ts";
import { evaluationHarness } from "../test/harness.ts";
import { realAnswers } from "../test/real-answers.ts";
import { attemptsMax } from "./jobs/backoff.ts";
import type { Provider } from "./model/caller.ts";

interface Case extends AbsurdAnswer {
  readonly provider: Provider;
  readonly tokens?: number | undefined;
  readonly tenant: Tenant;
  readonly evaluationId: string;
  readonly path: string;
}

const createCase = (provider: Provider, answer: AbsurdAnswer, tokens?: number): Case => {
  const id = newId();
  return { ...answer, provider, tokens, tenant: testTenant(), evaluationId: id, path: `/${id}/` };
};
const cases = [
  ...absurdAnswers.flatMap(({ provider, answers }) => answers.map((answer) => createCase(provider, answer))),
  ...realAnswers.map(({ name, body, read, charge, tokens }) =>
    createCase("openai-compatible", { name, raw: { kind: "raw", body: JSON.stringify(body) }, read, charge }, tokens),
  ),
];

const server = await modelServer();
const byPath = (path: string) => cases.find((each) => path.includes(each.path));
server.respond = ({ path }): Step | undefined => byPath(path)?.raw;
afterAll(() => server.close());

const outcomes = new Map<string, EvaluationOutcome>();
const offered: Case[] = [];
const definition = { type: EvalDefinitionType.CUSTOM, globalConfig: { criterion: "Polite" } };
const harness = await evaluationHarness(
  { MODEL_ALLOW_CIDRS: "127.0.0.1/32", JOBS_POLL_MS: "20" },
  {
    plans: { getDraftJudgeDefinition: () => ({ definition }) },
    execution: {
      getExecutionSettings: () => ({}),
      setExecutionSettings: () => ({}),
      claimWork: () => ({
        work: offered.splice(0).map(({ tenant: { applicationId, orgId }, evaluationId }) => ({
          applicationId,
          orgId,
          testId: evaluationId,
          claim: evaluationId,
          task: {
            case: "judge" as const,
            value: { evaluations: [{ id: evaluationId, definitionType: definition.type }] },
          },
        })),
      }),
      confirmWork: () => ({}),
      getJudgeInput: ({ evaluationIds }) => ({
        question: "Price?",
        output: "It costs 12 euros",
        evaluations: evaluationIds.map((id) => ({ id, definition: { ...definition, id: newId(), version: 1 } })),
      }),
      recordEvaluations: (request) => {
        for (const outcome of request.outcomes)
          if (outcome.status !== EvaluationStatus.PENDING) outcomes.set(outcome.id, outcome);
        return {};
      },
    },
  },
);
const connections = harness.client(ModelConnectionService);
const settings = harness.client(EvaluationSettingsService);
const trials = harness.client(DefinitionTrialService);
const { clock, database } = harness;

const budget = { tokens: 60_000n, money: 1 };
const inGroups = async (work: (each: Case) => Promise<void>) => {
  for (let at = 0; at < cases.length; at += 16) await Promise.all(cases.slice(at, at + 16).map(work));
};
/** Reads an application's total spend over all days, and its recorded calls. */
async function readRecord({ tenant: { applicationId } }: Case) {
  const [row] = await database.sql<
    Record<"calls" | "open" | "free" | "sum" | "tokens" | "estimated" | "uncertain", number>
  >(
    `SELECT count(*)::int AS calls, count(*) FILTER (WHERE ended_at IS NULL)::int AS open,
       count(*) FILTER (WHERE tokens = 0)::int AS free, sum(tokens)::int AS sum,
       (SELECT sum(tokens)::int FROM evaluation.spending WHERE application_id = $1 AND period = 'day') AS tokens,
       (SELECT sum(estimated_tokens)::int FROM evaluation.spending WHERE application_id = $1 AND period = 'day') AS estimated,
       (SELECT sum(uncertain_tokens)::int FROM evaluation.spending WHERE application_id = $1 AND period = 'day') AS uncertain
     FROM evaluation.model_call WHERE application_id = $1`,
    [applicationId],
  );
  return row;
}
const countRequests = ({ path }: Case) => server.requests.filter((request) => request.path.includes(path)).length;

interface Spend {
  readonly inputTokens?: bigint | undefined;
  readonly outputTokens?: bigint | undefined;
  readonly estimatedTokens?: bigint | undefined;
}

function expectCharge(charge: Charge, { inputTokens = 0n, outputTokens = 0n, estimatedTokens = 0n }: Spend): void {
  const [tokens, estimated] = [Number(inputTokens + outputTokens), Number(estimatedTokens)];
  expect(tokens).toBeLessThanOrEqual(60_000);
  if (charge === "none") expect([tokens, estimated]).toEqual([0, 0]);
  else expect(tokens).toBeGreaterThan(0);
  if (charge === "reported") expect(estimated).toBe(0);
  if (charge === "estimated") expect(estimated).toBe(tokens);
  if (charge === "mixed") expect(estimated > 0 && estimated < tokens).toBe(true);
}

const getCode = ({ read }: Case) => read.replace(/ later$/, "");
const isRetried = ({ read }: Case) => read.endsWith(" later");
/** Pattern of the message: empty for a judgment, otherwise with the code. */
const toMessage = (code: string) => new RegExp(code === "judged" ? "^$" : `^${code}: .{30}`);

beforeAll(async () => {
  await inGroups(async ({ provider, path, tenant }) => {
    const created = {
      name: "Judge",
      provider,
      baseUrl: `${server.url}${path}v1`,
      model: "model-a",
      apiKey: "sk-secret-key-of-tests",
      prices: { inputPerMillion: 1, outputPerMillion: 2 },
    };
    await connections.createModelConnection(created, testCall(tenant));
    await settings.updateEvaluationSettings({ budgets: { month: budget } }, testCall(tenant));
  });
}, 60_000);

describe("a trial", () => {
  const spends = new Map<Case, Spend>();

  test("returns a result for each absurd answer, and records its calls", { timeout: 60_000 }, async () => {
    await inGroups(async (each) => {
      const request = { ...definition, question: "Price?", answer: "It costs 12 euros" };
      const { data } = await trials.tryDefinition(request, testCall(each.tenant));
      const status = each.read === "judged" ? EvaluationStatus.COMPLETED : EvaluationStatus.FAILED;
      expect({ name: each.name, status: data?.status, message: data?.message ?? "" }).toEqual({
        name: each.name,
        status,
        message: expect.stringMatching(toMessage(getCode(each))),
      });
      spends.set(each, data ?? {});
      // Only an answer that a repair may mend is requested a second time.
      const repairs = ["empty_answer", "answer_not_json", "invalid_answer"].includes(each.read) ? 1 : 0;
      expect({ name: each.name, requests: countRequests(each) }).toEqual({ name: each.name, requests: 1 + repairs });
      const record = await readRecord(each);
      expect({ name: each.name, calls: record?.calls, open: record?.open }).toEqual({
        name: each.name,
        calls: countRequests(each),
        open: 0,
      });
    });
  });

  test.each(cases)("of $provider that answers $name is charged: $charge", async (each) => {
    const spend = spends.get(each) ?? {};
    expectCharge(each.charge, spend);
    if (each.tokens !== undefined)
      expect(Number((spend.inputTokens ?? 0n) + (spend.outputTokens ?? 0n)) % each.tokens).toBe(0);
  });
});

describe("a job", () => {
  test("ends for each absurd answer, within its attempts", { timeout: 120_000 }, async () => {
    offered.push(...cases);
    // Time passes only while every job waits: a lease that lapses under a call would count as a lost attempt.
    const isLeased = () =>
      database.sql<{ one: number }>("SELECT 1 AS one FROM evaluation.job WHERE leased_until > $1 LIMIT 1", [
        clock.now(),
      ]);
    await expect
      .poll(
        async () => {
          if ((await isLeased()).length === 0) clock.advance(10 * 60_000);
          return cases.filter(({ evaluationId }) => !outcomes.has(evaluationId)).map(({ name }) => name);
        },
        { timeout: 110_000, interval: 50 },
      )
      .toEqual([]);
    for (const each of cases) {
      const { name, read, evaluationId } = each;
      const code = getCode(each).replace("model_unavailable", "attempts_exhausted");
      const { status, message = "", attempts = 0 } = outcomes.get(evaluationId) ?? {};
      expect({ name, status, message }).toEqual({
        name,
        status: read === "judged" ? EvaluationStatus.COMPLETED : EvaluationStatus.FAILED,
        message: expect.stringMatching(toMessage(code)),
      });
      expect({ name, isRetried: attempts > 1 }).toEqual({ name, isRetried: isRetried(each) });
      expect(attempts).toBeLessThanOrEqual(attemptsMax);
    }
  });

  test.each(cases)("of $provider that answers $name is charged: $charge", async (each) => {
    expectCharge(each.charge, outcomes.get(each.evaluationId) ?? {});
    const record = await readRecord(each);
    const { calls, open, free, sum, tokens, estimated, uncertain } = record ?? {};
    expect({ calls, open, uncertain }).toEqual({ calls: countRequests(each), open: 0, uncertain: 0 });
    expect({ free }).toEqual({ free: each.charge === "none" ? calls : 0 });
    expect(tokens).toBe(sum);
    expect(tokens).toBeLessThanOrEqual(Number(budget.tokens));
    expectCharge(each.charge, { inputTokens: BigInt(tokens ?? 0), estimatedTokens: BigInt(estimated ?? 0) });
  });

  test("has only storable texts in its results", () => {
    const results = JSON.stringify([...outcomes.values()].map(({ results }) => results));
    expect(results).toContain("\ufffd");
    expect(results).not.toMatch(/\\u0000|\\ud800/);
  });
});
