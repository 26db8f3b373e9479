export { getExecutionSettings } from "./get-execution-settings.ts";
export { SampleRates } from "./sample-rates.ts";
export { setExecutionSettings } from "./set-execution-settings.ts";
