// `healthy`: the readiness of this container's process as an exit code, for a container engine's health check.

import { get } from "node:http";

const timeoutMs = 3_000;
const request = get(`http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`, { timeout: timeoutMs }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
});
request.on("timeout", () => request.destroy());
request.on("error", () => process.exit(1));
