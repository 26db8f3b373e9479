import { type EvalDefinition, EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { definitions, database, client } = await catalogHarness();
const references = client(ReferenceService);

/** Stores a calibration of the definition's judge, like experiments does. */
const keep = ({ applicationId, orgId }: ReturnType<typeof testTenant>, id: string, kappa: number | null, version = 1) =>
  database.sql(
    `INSERT INTO experiments.judge_calibration (application_id, definition_id, org_id, definition_version, judge_version, model,
       human_passed, human_failed, undecided, sensitivity, specificity, kappa, calculated_at)
     VALUES ($1, $2, $3, $4, 'custom/1', 'gpt-4o', 25, 30, 1, 0.9, 0.5, $5, '2026-03-01T00:00:00.123Z')`,
    [applicationId, id, orgId, version, kappa],
  );

test("every response with a definition has its last calibration, and no other tenant's", async () => {
  const [ours, theirs] = [testTenant(), testTenant()];
  const call = testCall(ours);
  const create = async (tenant = ours) =>
    (
      await definitions.createDefinition(
        { type: EvalDefinitionType.CUSTOM, name: "n", globalConfig: { criterion: "is polite" } },
        testCall(tenant),
      )
    ).data?.id ?? "";
  const [low, high, unknown, without, changed] = [
    await create(),
    await create(),
    await create(),
    await create(),
    await create(),
  ];
  await keep(ours, low, 0.39);
  await keep(ours, high, 0.4);
  await keep(ours, unknown, null);
  await keep(ours, changed, 0.8);
  // The other tenant has a different calibration for the same definition id.
  await keep(theirs, without, 0.1);

  const { data } = await definitions.getDefinition({ id: low }, call);
  expect(data?.calibration).toMatchObject({
    kappa: 0.39,
    sensitivity: 0.9,
    specificity: 0.5,
    humanPassed: 25,
    humanFailed: 30,
    undecided: 1,
    definitionVersion: 1,
    judgeVersion: "custom/1",
    model: "gpt-4o",
    reliable: false,
    calculatedAt: { seconds: 1_772_323_200n, nanos: 123_000_000 },
  });
  const update = { id: changed, globalConfig: { criterion: "is short" } };
  const { data: updated } = await definitions.updateDefinition(update, call);
  expect(updated?.calibration).toMatchObject({ kappa: 0.8, definitionVersion: 1 });
  const expected = new Map([
    [low, false],
    [high, true],
    [unknown, undefined],
    [without, undefined],
    [changed, undefined],
  ]);
  const reliability = (rows: readonly EvalDefinition[]) =>
    new Map(rows.map(({ id, calibration }) => [id, calibration?.reliable]));
  expect(reliability((await definitions.listDefinitions({}, call)).data)).toEqual(expected);
  const found = await references.batchGetReferences({ definitionIds: [...expected.keys()] }, call);
  expect(reliability(found.definitions)).toEqual(expected);

  await database.sql(
    `INSERT INTO experiments.execution_setting (application_id, org_id, sample_rate, kappa_floor, modified_at)
     VALUES ($1, $2, 0, 0.5, now())`,
    [ours.applicationId, ours.orgId],
  );
  const { data: listed } = await definitions.listDefinitions({}, call);
  expect(reliability(listed)).toEqual(new Map([...expected, [high, false]]));
});
