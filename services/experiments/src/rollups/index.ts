export { addTo, rollups } from "./queries.ts";
