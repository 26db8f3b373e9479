export { readOtlp } from "./otlp.ts";
export { isObject } from "./values.ts";
