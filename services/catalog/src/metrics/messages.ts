import type { MessageInitShape } from "@bufbuild/protobuf";
import { MetricLevel, type MetricsSchema } from "@ems/proto/catalog/v1/metrics";
import type { TaskBreakdownSchema } from "@ems/proto/catalog/v1/task_service";
import { addSums, measures, noSums, type Sums } from "./metrics.ts";
import type { BucketSums, DefinitionSums } from "./read-sums.ts";

export function metrics(sums: Sums): MessageInitShape<typeof MetricsSchema> {
  const { confidence, stability, healthScore, passRate, ...counts } = measures(sums);
  return {
    confidence: { ...confidence, level: MetricLevel[confidence.level] },
    stability: {
      level: MetricLevel[stability.level],
      ...(stability.stddev !== null && { stddev: stability.stddev }),
    },
    ...(healthScore !== null && { healthScore }),
    ...(passRate !== null && { passRate }),
    evaluations: BigInt(counts.evaluations),
    passed: BigInt(counts.passed),
    recommendedAdditionalEvaluations: BigInt(counts.recommendedAdditionalEvaluations),
    tests: BigInt(counts.tests),
    testsPassed: BigInt(counts.testsPassed),
    errored: BigInt(counts.errored),
  };
}

/** Builds the measures of a task; they are empty for a task without recent results. */
export function taskMetrics({ monitoring, synthetic }: BucketSums = { monitoring: noSums, synthetic: noSums }) {
  const [live, made] = [metrics(monitoring), metrics(synthetic)];
  return {
    monitoring: live,
    synthetic: made,
    combined: metrics(addSums(monitoring, synthetic)),
    monitoringPassRate: live.passRate ?? null,
    passRate: made.passRate ?? null,
  };
}

export function breakdown(sums: Readonly<Record<"monitoring" | "synthetic", DefinitionSums[]>>) {
  const message = ({ definitionId, name, sums }: DefinitionSums) => ({
    evalDefinitionId: definitionId,
    evalDefinitionName: name,
    metrics: metrics(sums),
  });
  return {
    monitoring: sums.monitoring.map(message),
    synthetic: sums.synthetic.map(message),
  } satisfies MessageInitShape<typeof TaskBreakdownSchema>;
}
