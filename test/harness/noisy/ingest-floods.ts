import { requestNoise } from "./noise.ts";

const steps = Array.from({ length: 19 }, (_, at) => ({
  type: "log",
  name: `step ${at}`,
  output: { text: "A transfer is free." },
}));
const body = JSON.stringify({ events: Array.from({ length: 50 }, () => ({ type: "trace", steps })) });

/** Sends traces without pause, a thousand rows per request. */
export const ingestFloods = requestNoise(8, () => ({ method: "POST", path: "/v0/ingest", body }));
