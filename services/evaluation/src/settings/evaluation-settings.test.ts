import { Code } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import { EvaluationSettingsService } from "@ems/proto/evaluation/v1/evaluation_settings_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { evaluationHarness } from "../../test/harness.ts";

const reported: { sampleRate: number; testTimeoutMs?: number; kappaFloor?: number }[] = [];
const { client, tenant, database, clock } = await evaluationHarness(
  {},
  {
    execution: {
      getExecutionSettings: () => {
        const { sampleRate = 0, kappaFloor = 0.4, testTimeoutMs } = reported.at(-1) ?? {};
        return { sampleRate, kappaFloor, ...definedFields({ testTimeoutMs }) };
      },
      setExecutionSettings: ({ sampleRate, testTimeoutMs, kappaFloor }) => {
        reported.push({ sampleRate, ...definedFields({ testTimeoutMs, kappaFloor }) });
        return {};
      },
    },
  },
);
const settings = client(EvaluationSettingsService);

test("an application without settings has the defaults, and has spent nothing", async () => {
  const { data } = await settings.getEvaluationSettings({}, testCall(testTenant()));
  expect(data).toMatchObject({
    votes: 1,
    monitoring: { sampleRate: 0 },
    budgets: {},
    kappaFloor: 0.4,
    spent: { day: { money: 0, tokens: 0n }, month: { money: 0, tokens: 0n } },
  });
});

test("uncertain and estimated spend are returned separately, with the counted share of the uncertain spend", async () => {
  const spender = testTenant();
  await database.sql(
    `INSERT INTO evaluation.spending (application_id, period, starts_at, org_id, cost_micro, tokens, uncertain_cost_micro,
       uncertain_tokens, estimated_cost_micro, estimated_tokens)
     SELECT $1, period, date_trunc(period, $3::timestamptz, 'UTC'), $2, 79000, 900, 756000, 8000, 9000, 100 FROM unnest('{day,month}'::text[]) AS period`,
    [spender.applicationId, spender.orgId, clock.now()],
  );
  const { data } = await settings.getEvaluationSettings({}, testCall(spender));
  const estimated = { estimatedMoney: 0.009, estimatedTokens: 100n };
  const spent = { money: 0.079, tokens: 900n, uncertainMoney: 0.756, uncertainTokens: 8_000n, ...estimated };
  expect(data?.spent).toMatchObject({ day: spent, month: spent, uncertainShare: 1 });
});

test("settings are stored by application, and reach experiments", async () => {
  const budgets = { day: { money: 2.5, tokens: 1_000n }, month: { money: 40.000001 } };
  const request = { votes: 3, monitoring: { sampleRate: 0.25 }, testTimeoutMs: 60_000, kappaFloor: 0.5, budgets };
  const { data } = await settings.updateEvaluationSettings(request, testCall(tenant));
  expect(data).toMatchObject({ votes: 3, monitoring: { sampleRate: 0.25 }, kappaFloor: 0.5, budgets });
  expect(reported).toEqual([{ sampleRate: 0.25, testTimeoutMs: 60_000, kappaFloor: 0.5 }]);
  expect((await settings.getEvaluationSettings({}, testCall(tenant))).data).toMatchObject({ votes: 3, budgets });
  expect((await settings.getEvaluationSettings({}, testCall(testTenant()))).data?.votes).toBe(1);
  const cleared = await settings.updateEvaluationSettings({}, testCall(tenant));
  expect(cleared.data).toMatchObject({ votes: 1, monitoring: { sampleRate: 0 }, kappaFloor: 0.4 });
  expect(cleared.data?.budgets?.day).toBeUndefined();
});

test("an unknown model connection is an issue, and changes nothing", async () => {
  const before = reported.length;
  const request = { defaultConnectionId: "019a0000-0000-7000-8000-000000000099" };
  const error = { code: Code.InvalidArgument };
  await expect(settings.updateEvaluationSettings(request, testCall(tenant))).rejects.toMatchObject(error);
  expect(reported.length).toBe(before);
});

test("jobs that wait for a budget are due again when it changes", async () => {
  await database.sql(
    `INSERT INTO evaluation.job (application_id, id, org_id, kind, test_id, needs_model, created_at, next_attempt_at, waiting_for)
     VALUES ($1, $2, 'o', 'JUDGE', $2, true, now(), 'infinity', 'budget')`,
    [tenant.applicationId, "019a0000-0000-7000-8000-000000000001"],
  );
  await settings.updateEvaluationSettings({ budgets: { day: { tokens: 5n } } }, testCall(tenant));
  expect(await database.sql("SELECT FROM evaluation.job WHERE next_attempt_at = 'infinity'")).toEqual([]);
});
