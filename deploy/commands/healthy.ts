// `healthy`: whether the process of this container should be sent work, told by the exit code. For an engine's health check.

import { get } from "node:http";

const waitMs = 3_000;
const request = get(`http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`, { timeout: waitMs }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
});
request.on("timeout", () => request.destroy());
request.on("error", () => process.exit(1));
