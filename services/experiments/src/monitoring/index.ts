export { getExecutionSettings } from "./get-execution-settings.ts";
export { setExecutionSettings } from "./set-execution-settings.ts";
