/** Measures of a task without results. */
export const noResults = {
  confidence: { halfWidth: 50, interval: { lower: 0, upper: 100 }, level: "LOW" },
  evaluations: 0,
  healthScore: null,
  passed: 0,
  passRate: null,
  recommendedAdditionalEvaluations: 381,
  stability: { level: "LOW" },
  tests: 0,
  testsPassed: 0,
  errored: 0,
};
