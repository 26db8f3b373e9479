export { largeBodies, measureBody, measureRaw } from "./body.ts";
export { Budgets, type RequestBudget } from "./budget.ts";
export { rejection } from "./limits.ts";
export { type BodyMeasure, measureMessage, messageDepthMax, type ValueLimits } from "./measure-message.ts";
export { type RatePolicies, ratePolicies, reflectionLimit } from "./rate-limits.ts";
