import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

test("a definition has the settings of its type, and every fault is reported at its field", async () => {
  for (const [request, status, found] of [
    [{ type: "OUTPUT_MATCH", globalConfig: { type: "string" } }, 201],
    [{ type: "OUTPUT_MATCH", globalConfig: { type: "list", matchMode: "contains", scoreMetric: "f1" } }, 201],
    [{ type: "OUTPUT_MATCH" }, 400, ["globalConfig.type custom"]],
    [{ type: "OUTPUT_MATCH", globalConfig: { criterion: null } }, 400, ["globalConfig.type custom"]],
    [{ type: "CUSTOM", globalConfig: { criterion: " \n" } }, 400, ["globalConfig.criterion custom"]],
    [{ type: "OUTPUT_MATCH", globalConfig: { type: "list" } }, 400, ["globalConfig.matchMode custom"]],
    [
      { type: "OUTPUT_MATCH", globalConfig: { type: "string", matchMode: "contains", passThreshold: 1 } },
      400,
      ["globalConfig.matchMode custom", "globalConfig.passThreshold custom"],
    ],
    [{ type: "OUTPUT_MATCH", globalConfig: { passThreshold: 0.5 } }, 400, ["globalConfig.type custom"]],
    [
      { type: "OUTPUT_MATCH", globalConfig: { type: "regex", passThreshold: 2 } },
      400,
      ["globalConfig.passThreshold too_big", "globalConfig.type invalid_enum_value"],
    ],
    [
      { type: "OUTPUT_MATCH", globalConfig: { type: "string", extract: {} } },
      400,
      [
        "globalConfig.extract.flags invalid_type",
        "globalConfig.extract.group invalid_type",
        "globalConfig.extract.pattern invalid_type",
      ],
    ],
    [
      { type: "OUTPUT_MATCH", globalConfig: { type: "string", extract: { pattern: "(?=a)", flags: "", group: 0 } } },
      400,
      ["globalConfig.extract.pattern custom"],
    ],
    [
      { type: "OUTPUT_MATCH", globalConfig: { type: "string", extract: { pattern: "a", flags: "x", group: "1" } } },
      400,
      ["globalConfig.extract.flags invalid_string", "globalConfig.extract.group custom"],
    ],
    [{ type: "FACT", globalConfig: { groundTruth: "Yes" } }, 201],
    [{ type: "RECALL", globalConfig: { groundTruth: "Yes" } }, 400, ["globalConfig.groundTruth custom"]],
    [{ type: "FACT", globalConfig: { type: "string" } }, 400, ["globalConfig.type custom"]],
  ] as const) {
    const answer = await api.post("/v0/definitions", { name: "a", ...request });
    expect([request, answer.status]).toEqual([request, status]);
    if (found === undefined) expect(answer.body.data.globalConfig).toEqual(request.globalConfig);
    else {
      const issues: { path: string[]; code: string }[] = answer.body.issues;
      expect(issues.map(({ path, code }) => `${path.join(".")} ${code}`).sort()).toEqual(found);
    }
  }
});
