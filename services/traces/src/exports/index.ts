// Exports of traces as events of `POST /v0/ingest`.

export { downloadTraces } from "./download-traces.ts";
