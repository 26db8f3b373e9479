export { addTo, rollups } from "./queries.ts";
export { totalByDays } from "./total.ts";
