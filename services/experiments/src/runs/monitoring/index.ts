export { getExecutionSettings, kappaFloorDefault } from "./get-execution-settings.ts";
export { setExecutionSettings } from "./set-execution-settings.ts";
