export { readOtlp } from "./read-otlp.ts";
