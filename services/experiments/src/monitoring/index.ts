export { getMonitoring } from "./get-monitoring.ts";
export { SampleRates } from "./sample-rates.ts";
export { setMonitoring } from "./set-monitoring.ts";
