// `healthy`: exits with 0 if this container's process is ready, for health checks of container engines.

import { get } from "node:http";

const timeoutMs = 3_000;
const request = get(`http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`, { timeout: timeoutMs }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
});
request.on("timeout", () => request.destroy());
request.on("error", () => process.exit(1));
