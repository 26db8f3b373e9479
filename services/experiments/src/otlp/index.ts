export { isObject } from "./attributes.ts";
export { readOtlp } from "./read-otlp.ts";
