import { create } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import { systemClock } from "@ems/kit/clock";
import { Code, ConnectError } from "@ems/kit/errors";
import { createLog } from "@ems/kit/log";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import {
  EvaluationSettingsSchema,
  EvaluationSettingsService,
} from "@ems/proto/evaluation/v1/evaluation_settings_service";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { HealthService, HealthStatus } from "@ems/proto/gateway/v1/health_service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { expect, test } from "vitest";
import { callUpstream } from "../upstreams/call-upstream.ts";
import { withHealthService } from "./health-service.ts";
import { checkBudgets } from "./probes.ts";

const connection = { name: "judge", pausedAt: { seconds: 1n, nanos: 0 }, pauseReason: "401 from the provider" };

async function health({ isCatalogDown = false, pausedConnections = 0, failedDeliveries = 0n } = {}) {
  const transport = createRouterTransport((router) => {
    router.service(AppConfigService, { getAppConfig: () => ({}) });
    router.service(TagService, {
      listTags() {
        if (isCatalogDown) throw new ConnectError("Service unavailable", Code.Unavailable);
        return {};
      },
    });
    router.service(IngestSettingsService, { getIngestSettings: () => ({}) });
    router.service(RunService, { listRuns: () => ({}) });
    router.service(ReportingService, { getDatasourceColumns: () => ({}) });
    router.service(EvaluationSettingsService, { getEvaluationSettings: () => ({ data: {} }) });
    router.service(ModelConnectionService, {
      listModelConnections: () => ({ data: Array.from({ length: pausedConnections }, () => connection) }),
    });
    router.service(DeliveryService, { listDeliveries: () => ({ pagination: { total: failedDeliveries } }) });
  });
  const peer = withHealthService({ peer: () => transport, clock: systemClock, log: createLog("test", "silent") });
  const tenant = { orgId: "org", applicationId: "application", userId: "ada" };
  const options = { tenant, requestId: "request", timeoutMs: 1_000 };
  return (await callUpstream(peer, HealthService.method.getHealth, {}, options)).message.data;
}

test("a healthy installation has one finding per service", async () => {
  const data = await health();
  expect(data?.status).toBe(HealthStatus.OK);
  expect(data?.findings.map(({ name, status }) => [name, status])).toEqual(
    ["identity", "catalog", "traces", "experiments", "evaluation", "reporting", "notifications"].map((name) => [
      name,
      1,
    ]),
  );
});

test("an unresponsive service is a finding, not an error", async () => {
  const data = await health({ isCatalogDown: true });
  expect(data?.status).toBe(HealthStatus.FAILURE);
  const [catalog, ...rest] = data?.findings.filter(({ status }) => status !== HealthStatus.OK) ?? [];
  expect(rest).toEqual([]);
  expect(catalog).toMatchObject({ name: "catalog", detail: "The service does not respond: Service unavailable" });
});

test("paused connections and failed deliveries are findings next to those of their services", async () => {
  const data = await health({ pausedConnections: 1, failedDeliveries: 2n });
  const found = data?.findings.filter(({ status }) => status !== HealthStatus.OK);
  expect(found?.map(({ name, detail }) => `${name}: ${detail}`)).toEqual([
    "models: judge is paused: 401 from the provider.",
    "deliveries: 2 deliveries of the last 24 hours failed.",
  ]);
});

test.each([
  ["no budget", {}, { day: { money: 10 } }, []],
  ["less than 80 % spent", { day: { money: 10 } }, { day: { money: 7.9 } }, []],
  ["80 % spent", { day: { money: 10 } }, { day: { money: 8 } }, [[HealthStatus.WARNING, "80 %"]]],
  ["more than 100 % spent", { month: { tokens: 10n } }, { month: { tokens: 11n } }, [[HealthStatus.FAILURE, "110 %"]]],
  [
    "uncertain spend counts by the installation's share",
    { day: { money: 10 }, month: { tokens: 10n } },
    { day: { money: 4, uncertainMoney: 8 }, month: { tokens: 2n, uncertainTokens: 4n }, uncertainShare: 0.5 },
    [[HealthStatus.WARNING, "80 %"]],
  ],
  ["a budget of zero", { day: { tokens: 0n } }, { day: { tokens: 0n } }, [[HealthStatus.FAILURE, "100 %"]]],
  [
    "the scarcer of both",
    { day: { money: 10, tokens: 10n } },
    { day: { money: 1, tokens: 9n } },
    [[HealthStatus.WARNING, "90 %"]],
  ],
] as const)("budgets: %s", (_name, budgets, spent, expected) => {
  const findings = checkBudgets(create(EvaluationSettingsSchema, { budgets, spent }));
  expect(findings.map(({ status, detail }) => [status, /^\d+ %/.exec(detail ?? "")?.[0]])).toEqual(expected);
});
